-- statement --> a part of the message
select nope from book --> line 1, column 8: Referenced column "nope" not found
select * from nowhere --> 'nowhere' not found
select id from book where --> line 1, column 26: syntax error at end of input
select title + from book --> line 1, column 16: syntax error at or near "from"
select sum(title) from book --> line 1, column 8: No function matches the given name and argument types 'sum(VARCHAR)'
select id, count(*) from book --> column "id" must appear in the GROUP BY clause
drop view book --> DROP VIEW
drop table nowhere --> there is no table 'nowhere'
alter table book add column x int --> ALTER
truncate table book --> TRUNCATE
create view v as select id from book --> CREATE VIEW
create table book (x int) --> there is a table 'book' already
create table t (x double) --> no column that rows can be spread by
select read_text('/etc/passwd') --> read_text
select * from read_csv('/etc/passwd') --> read_csv
select nextval('s') --> nextval
update book set id = 1 --> column 'id', which tells the actor
update loan set since = timestamp '2024-01-01 00:00:00' --> column 'since'
update log set kind = 'x' --> column 'kind'
update book set nope = 1 --> 'nope' not found
update nowhere set x = 1 --> 'nowhere' not found
update book set title = author --> 'author' not found
update book set pages = (select max(days) from loan) --> a sub-query
update book set pages = sum(pages) over () --> a window
update book set weight = rand() --> rand
update book set weight = random() --> random(): a function that gives something else each time
delete from book where id in (select book_id from loan) --> a sub-query
insert into book (id, title) values (1) --> 2 columns and 1 values
insert into book (id, id) values (1, 2) --> twice
insert into book (title) values ('x') --> 'id' lacks a value
insert into book (id, pages) values (1, 'many') --> 'pages'
insert into book (id, price) values (1, 1.234) --> 'price'
explain delete from book --> EXPLAIN
select (select id from book) --> several rows
select code, (select id from book b where b.shelf = s.code) from shelf s --> several rows
selec 1 --> line 1, column 1: syntax error at or near "selec"
select 1; select 2 --> 2 statements
begin --> BEGIN: there are no transactions
commit --> COMMIT: there are no transactions
rollback --> ROLLBACK: there are no transactions
set threads = 1 --> SET: a statement has no session
pragma version --> PRAGMA: a statement has no session
reset threads --> RESET: a statement has no session
use memory --> USE: a statement has no session
attach 'x.db' --> ATTACH: SQL reads and writes no files
copy book to 'x.csv' --> COPY: SQL reads and writes no files
load json --> LOAD: a statement has no session
call pragma_version() --> CALL is neither a query nor a change
checkpoint --> CHECKPOINT is neither a query nor a change
merge into book using loan on id = book_id when matched then delete --> MERGE
select [getenv('HOME')] --> function 'getenv'
select [1], current_setting('threads') --> function 'current_setting'
select list_transform([1], lambda x: nextval('s')) --> function 'nextval'
with x as (select getvariable('y')) select [1] from x --> function 'getvariable'
select [current_user] --> function 'current_user'
select [user] from shelf --> function 'user'
select pg_sleep(1), [1] --> function 'pg_sleep'
select 1 from book where rowid = 1 --> rowid
from '/etc/passwd' --> line 1, column 6: Object '/etc/passwd' not found
from 'x.csv', book --> Object 'x.csv' not found
select [1] from read_text('/etc/passwd') --> function 'read_text'
select [1] from glob('*') --> function 'glob'
from duckdb_settings() --> function 'duckdb_settings'
from duckdb_secrets() --> function 'duckdb_secrets'
from query('select 1') --> function 'query'
from query_table('book') --> function 'query_table'
from information_schema.tables --> 'information_schema.tables' not found
from pg_catalog.pg_tables --> 'pg_catalog.pg_tables' not found
from sqlite_master --> 'sqlite_master' not found
from memory.main.book --> 'memory.main.book' not found
from nowhere.book --> 'nowhere.book' not found
with a as (select 1) from b.a --> 'b.a' not found
show functions --> Object 'functions' not found
select [(select id from book)] --> More than one row returned by a subquery
select [title::integer] from book --> Could not convert string
select nosuch(1) --> nosuch does not exist
select [1]::nosuch --> nosuch does not exist
pivot book on shelf using sum(pages) --> PIVOT: name the values
select ? --> 1 parameters
truncate book --> line 1, column 1: TRUNCATE: delete its rows by DELETE FROM
create or replace table book as select 1 as x --> CREATE OR REPLACE: drop what there is first
create table t (x uuid) --> 'uuid' is no type of a column
select first(1) export_state --> EXPORT_STATE: states of aggregates
select finalize(x) from (select sum(1) export_state x) --> states of aggregates are memory
select finalize(cast('a' as blob)) --> 'finalize': states of aggregates
select {'😀': 1, 'b': 2} --> the type of a column has the character 😀 (U+1F600)
select '😀'::enum('😀') --> the character 😀 (U+1F600)
select [{'a': {'x𝒳': id}}] from book --> the character 𝒳 (U+1D4B3)
create table t ("my col" int) --> 'my col' is no name of a column: one has 1 to 63 letters a to z, digits and _
create table "my t" (a int) --> 'my t' is no name of a table: one has 1 to 63
create table t (a int) partition by ("größe") --> 'größe' is no name of a column
create table t as select 1 --> '1' is no name of a column
select -title from book --> No function matches the given name and argument types '-(VARCHAR)'
select -5::varchar --> No function matches the given name and argument types '-(VARCHAR)'
select + 'a' --> function call "+(STRING_LITERAL)"
select id from book where pages like '1%' --> No function matches the given name and argument types '~~(INTEGER
select abs(title) from book --> No function matches the given name and argument types 'abs(VARCHAR)'
select abs('5') --> function call "abs(STRING_LITERAL)"
select substring(id, 2) from book --> No function matches the given name and argument types 'substring(BIGINT
select position(5 in '15') --> No function matches the given name and argument types 'position(STRING_LITERAL
