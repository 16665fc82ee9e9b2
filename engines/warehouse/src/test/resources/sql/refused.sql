-- statement --> a part of the message
select nope from book --> Column 'nope' not found
select * from nowhere --> 'nowhere' not found
select id from book where --> Encountered
select title + from book --> Encountered
select sum(title) from book --> SUM
select id, count(*) from book --> not being grouped
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
insert into book (id, id) values (1, 2) --> 'id' twice
insert into book (title) values ('x') --> 'id' lacks a value
insert into book (id, pages) values (1, 'many') --> 'pages'
insert into book (id, price) values (1, 1.234) --> 'price'
explain delete from book --> EXPLAIN
select 2 * 2 ^ 3 --> the operator ^ beside *
select id & 3 from book --> line 1, column 11: the operator &
select 1 << 3 --> the operator <<
select 1 isnull --> line 1, column 10: the operator isnull
select _utf8'abc' --> line 1, column 8: a text of the kind _utf8'
select $$abc$$ --> a text in dollar signs
select (select id from book) --> several rows
select code, (select id from book b where b.shelf = s.code) from shelf s --> several rows
select count(*) from book group by cube(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) --> line 1, column 36: CUBE of more than 12
