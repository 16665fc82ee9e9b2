insert into nothing values (1, 'one'), (2, null), (3, 'O''Hara')
insert into nothing (id) values (4)
insert into nothing (what, id) select title, id from book where id > 100
insert into nothing select id, name from reader
insert into shelf values ('E', 3)
insert into shelf select 'X', max(pages) from book
insert into book (id, title, price, published, weight, pages, lent, big) values (1000, 'New', 1.50, date '2024-02-29', 0.5, 7, true, 99999999999999999999)
insert into loan (book_id, reader_id, since) values (1000, 3, timestamp '2024-02-29 12:00:00.123456')
insert into log select since_day, 'loan', days from (select cast(since as date) as since_day, days from loan where days > 25) x where since_day is not null
insert into nothing select id, what from nothing where id = -1
update book set pages = pages + 1
update book set title = upper(title), price = price * 2 where shelf = 'A'
update book set shelf = null where pages between 10 and 40 or lent is null
update book set weight = case when lent then weight + 1 else 0 end where weight is not null
update book b set published = b.published + interval '1' day where extract(month from b.published) = 2
update reader set balance = -balance, born = date '2000-01-01' where name like '%a%'
update loan set days = coalesce(days, 0) + reader_id where since < timestamp '2024-06-01 00:00:00'
update shelf set floor = floor * 10 where floor is not null
update log set n = 0 where day = date '2024-03-02' and kind = 'in'
update nothing set what = 'x''y "z" ★' where what is null
update book set pages = 1 where id = 123456
update book set big = big - 1 where big > 100
update book set pages = 7 where id in (1, 2, 3, 99) and pages = pages or title in ('Emma', 'Dubliners')
update book set pages = pages::double / 2 + 0.5::integer where not (pages not in (1, 2, 3))
delete from loan where days > 30
delete from log where kind = 'out' and n % 2 = 1
delete from book where title in ('NEW', 'Emma') or pages < 0
delete from shelf where code = 'X'
delete from reader as r where r.born is null
delete from book where id = 123456
delete from nothing
