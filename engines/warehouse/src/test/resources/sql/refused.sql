-- statement --> a part of the message
select nope from book --> Column 'nope' not found
select * from nowhere --> 'nowhere' not found
select id from book where --> Encountered
select title + from book --> Encountered
select sum(title) from book --> SUM
select id, count(*) from book --> not being grouped
drop table book --> drop
insert into book (id) values (1) --> INSERT is no query
delete from book --> DELETE is no query
update book set title = 'x' --> UPDATE is no query
select read_text('/etc/passwd') --> read_text
select * from read_csv('/etc/passwd') --> read_csv
select nextval('s') --> nextval
