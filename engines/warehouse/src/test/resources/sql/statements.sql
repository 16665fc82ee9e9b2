-- One statement a line, compared with one DuckDB that has all the data; in order where it says ORDER BY.
select * from book
select count(*) from book
select id, title from book order by id
select id from book order by id limit 5
select id from book order by id desc limit 5
select id from book order by id limit 5 offset 7
select id from book order by id offset 30
select title from book where title = 'Emma'
select title from book where title like '%m%'
select title from book where title like '100\%%' escape '\'
select title from book where title = 'O''Hara’s "Cat"'
select title from book where title = 'Ünïcödé ★'
select id from book where title = ''
select id from book where title is null
select id from book where title is not null and shelf is null
select id, price from book where price > 20 and price <= 30.5
select id, price * 2, price + 1, price - 0.5, price / 4 from book
select id, price * weight from book
select id, pages / 7.0 from book
select id, pages % 7 from book where pages > 0
select id, -pages, abs(pages) from book
select id, pages + id, pages * id from book
select id from book where pages between 10 and 100
select id from book where pages not between 10 and 100
select id from book where pages in (5, 16, 29, 44)
select id from book where pages not in (5, 16, 29, 44)
select id from book where shelf in ('A', 'B')
select id from book where shelf not in ('A', 'B')
select id from book where id >= 1 and (shelf in ('A', 'B') and pages < 50 or shelf in ('C', 'D') and pages > 20 or title in ('Emma', 'Ulysses'))
select id from book where case when shelf in ('A', 'B') or pages in (5, 16, 29) then true else false end
select id from book where case when shelf not in ('A', 'B') and pages < 100 or id in (1, 2) then pages else id end > 3
select id, case when shelf in ('A', 'B') or pages in (5, 16, 29) then 'yes' else 'no' end from book
select b.id from book b, book c where b.id = c.pages and (b.shelf in ('A', 'B') and c.id < 20 or b.shelf in ('C', 'D') and c.id in (1, 2, 3, 30, 31))
select id from book where lent
select id from book where not lent
select id from book where lent is null
select id from book where lent is not true
select id from book where lent = true or pages < 0
select id from book where published = date '1951-12-12'
select id from book where published < date '1960-01-01'
select id from book where published >= date '1960-01-01' and published < date '1960-01-01' + interval '5' year
select id from book where published between date '1950-01-01' and date '1955-12-31'
select id, extract(year from published), extract(month from published), extract(day from published) from book
select id, published + interval '1' month from book where id < 0
select id, published - interval '3' day from book where id < 0
select id, cast(published as varchar) from book
select id, cast(price as integer) from book
select id, cast(price as double) from book
select id, cast(pages as decimal(10,3)) from book
select id, cast(id as varchar) from book
select cast('17' as integer) + count(*) from book
select id, coalesce(title, 'none') from book
select id, coalesce(price, 0) from book
select id, nullif(shelf, 'A') from book
select id, case when pages < 50 then 'short' when pages < 150 then 'medium' else 'long' end from book
select id, case shelf when 'A' then 1 when 'B' then 2 end from book
select id, upper(title), lower(title), char_length(title) from book
select id, length(title) from book
select min(length(title)), max(length(title)) from book
select count(*), count(distinct title), min(length(title)) from book where id >= 2
select sum(id % 2) from book
select max(character_length(title)) from book
select sum(power(id, 2)) from book
select sum(pow(id, 2)) from book
select count(*) from book group by length(title) having max(length(title)) > 3
select count(*) filter (where (id > 2) is unknown) from book
select id, substring(title from 1 for 3), substring(title from 2) from book
select id, title || '/' || shelf from book
select id, trim(both ' ' from '  x ') from book where id < 0
select id, position('m' in title) from book
select id, replace(title, 'm', 'MM') from book
select id, round(price, 1) from book
select id, floor(price), ceil(price) from book
select id, sqrt(weight), power(weight, 2) from book where weight is not null
select id, mod(id, 5) from book where id > 0
select distinct shelf from book
select distinct shelf, lent from book
select distinct title from book order by title
select distinct pages from book order by pages limit 3
select count(title), count(*), count(price) from book
select sum(pages), sum(price), sum(weight), sum(id) from book
select min(pages), max(pages), min(price), max(price) from book
select min(title), max(title), min(published), max(published) from book
select avg(pages), avg(price), avg(weight) from book
select sum(big), max(big), min(big) from book
select big from book order by big
select big + 1 from book where big < 1000
select count(*) from book where big > 99999999999999999999
select shelf, count(*) from book group by shelf
select shelf, count(*) from book group by shelf order by shelf
select shelf, count(*) c from book group by shelf order by c desc, shelf
select shelf, lent, count(*), sum(price) from book group by shelf, lent
select shelf, avg(price) from book group by shelf having count(*) > 7
select shelf, sum(pages) s from book group by shelf having sum(pages) > 800 order by s
select shelf, min(title), max(title) from book group by shelf
select shelf, count(distinct title) from book group by shelf
select count(distinct title) from book
select count(distinct title), count(distinct shelf) from book
select count(distinct title), count(*) from book
select sum(distinct pages) from book
select shelf, sum(distinct pages), count(*) from book group by shelf
select count(*) filter (where lent) from book
select shelf, sum(price) filter (where pages > 50) from book group by shelf
select id % 3, count(*) from book where id > 0 group by id % 3
select extract(year from published) y, count(*) from book group by extract(year from published) order by y
select upper(shelf) u, sum(pages) from book group by upper(shelf)
select sum(pages) / count(pages) * 1.0 from book where shelf = 'A'
select sum(price) / sum(pages) from book
select max(price) - min(price) from book
select 1
select 1 + 1, 'x', null
select 1 as one, date '2024-02-29' as leap
select count(*) + 1 from book
select 7 from book where id = 6
select id, id as again, id + 0 as third from book where id = 6
select * from book where id = 6
select * from book where id = 999
select sum(pages) from book where id = 999
select count(*) from book where id = 999
select avg(price) from book where id = 999
select shelf, sum(pages) from book where id = 999 group by shelf
select * from nothing
select count(*) from nothing
select sum(id), max(what), min(what), avg(id) from nothing
select what, count(*) from nothing group by what
select distinct what from nothing
select * from nothing order by id limit 3
select b.id from book b join nothing n on b.id = n.id
select b.id, n.what from book b left join nothing n on b.id = n.id
select b.id from book b where not exists (select * from nothing n where n.id = b.id)
select count(*) from book, nothing
select * from shelf
select * from shelf order by code
select count(*) from shelf
select floor, count(*) from shelf group by floor
select max(code) from shelf where floor = 1
select b.id, s.floor from book b join shelf s on b.shelf = s.code
select b.id, s.floor from book b left join shelf s on b.shelf = s.code
select s.code, b.id from shelf s left join book b on b.shelf = s.code
select s.code, b.id from book b right join shelf s on b.shelf = s.code
select s.code, b.id from book b full join shelf s on b.shelf = s.code
select s.floor, count(*) from book b join shelf s on b.shelf = s.code group by s.floor
select b.id, l.days from book b join loan l on b.id = l.book_id
select b.id, l.days from book b left join loan l on b.id = l.book_id
select b.id, l.book_id, l.days from book b right join loan l on b.id = l.book_id
select b.id, l.book_id, l.days from book b full join loan l on b.id = l.book_id
select b.id, l.days from book b join loan l on b.id = l.book_id and l.days > 10
select b.id, l.days from book b left join loan l on b.id = l.book_id and l.days > 10
select b.id, l.days from book b left join loan l on b.id = l.book_id where l.days > 10
select b.id from book b left join loan l on b.id = l.book_id where l.book_id is null
select l.book_id, r.name from loan l join reader r on l.reader_id = r.id
select l.book_id, r.name from loan l left join reader r on l.reader_id = r.id
select r.name, l.book_id from reader r left join loan l on l.reader_id = r.id
select r.name, l.reader_id from reader r full join loan l on l.reader_id = r.id
select r.name, count(l.book_id) from reader r left join loan l on l.reader_id = r.id group by r.name
select r.name, sum(l.days) from reader r join loan l on l.reader_id = r.id group by r.name order by r.name
select b.title, r.name, l.since from book b join loan l on b.id = l.book_id join reader r on r.id = l.reader_id
select b.title, r.name from book b, loan l, reader r where b.id = l.book_id and r.id = l.reader_id and b.pages > 100
select b.title, r.name, s.floor from book b, loan l, reader r, shelf s where b.id = l.book_id and r.id = l.reader_id and s.code = b.shelf
select a.id, b.id from book a join book b on a.id = b.id + 7
select a.id, b.id from book a join book b on a.pages = b.pages and a.id < b.id
select count(*) from book a, book b
select count(*) from book a, book b where a.shelf = b.shelf
select count(*) from reader r, shelf s
select a.name, b.name from reader a, reader b where a.born < b.born
select l.since from loan l where l.since > timestamp '2024-06-01 00:00:00'
select max(since), min(since) from loan
select book_id, max(since) from loan group by book_id
select book_id, reader_id, count(*) from loan group by book_id, reader_id
select reader_id, count(*) from loan group by reader_id having count(*) > 4
select count(*) from (select distinct book_id from loan) x
select avg(n) from (select book_id, count(*) as n from loan group by book_id) x
select max(n) from (select reader_id, count(*) as n from loan group by reader_id) x
select n, count(*) from (select reader_id, count(*) as n from loan group by reader_id) x group by n
select id from book where id in (select book_id from loan)
select id from book where id not in (select book_id from loan)
select id from book where id in (select book_id from loan where days > 20)
select id from book b where exists (select * from loan l where l.book_id = b.id)
select id from book b where not exists (select * from loan l where l.book_id = b.id)
select id from book b where exists (select * from loan l where l.book_id = b.id and l.days > b.pages)
select name from reader r where exists (select * from loan l where l.reader_id = r.id and l.days = 7)
select name from reader where id not in (select reader_id from loan where days is null)
select name from reader where id in (select reader_id from loan l join book b on b.id = l.book_id where b.shelf = 'A')
select id from book where shelf not in (select code from shelf)
select id from book where pages > (select avg(pages) from book)
select id from book where price = (select max(price) from book)
select id from book b where price = (select max(price) from book c where c.shelf = b.shelf)
select id, (select count(*) from loan l where l.book_id = b.id) from book b
select id, (select max(days) from loan l where l.book_id = b.id) from book b
select name, (select count(*) from loan l where l.reader_id = r.id) from reader r
select (select count(*) from book), (select count(*) from loan)
select id from book b where pages > (select avg(days) from loan l where l.book_id = b.id)
select id from book where pages > all (select days from loan where days is not null)
select id from book where pages = any (select days from loan)
with x as (select shelf, sum(pages) p from book group by shelf) select * from x where p > 700
with x as (select shelf, sum(pages) p from book group by shelf) select a.shelf, b.shelf from x a join x b on a.p < b.p
with x as (select book_id, count(*) n from loan group by book_id), y as (select max(n) m from x) select book_id from x, y where n = m
select id from book union all select reader_id from loan
select id from book union select reader_id from loan
select shelf from book union select code from shelf
select id from book intersect select book_id from loan
select id from book except select book_id from loan
select id from book intersect select reader_id from loan
select shelf from book except select code from shelf
select id from book where id < 0 union all select id from book where id > 200 order by id
select count(*) from (select id from book union all select book_id from loan) x
select shelf, count(*) from book group by rollup(shelf)
select shelf, lent, count(*) from book group by rollup(shelf, lent)
select shelf, lent, sum(pages) from book group by cube(shelf, lent)
select shelf, lent, count(*) from book group by grouping sets ((shelf), (lent), ())
select id, row_number() over (order by id) from book
select id, rank() over (partition by shelf order by pages) from book where shelf is not null and pages is not null
select id, sum(pages) over (partition by shelf) from book
select id, sum(pages) over (partition by shelf order by id) from book
select id, lag(id) over (order by id), lead(id) over (order by id) from book
select book_id, since, row_number() over (partition by book_id order by since) from loan
select * from (select id, row_number() over (partition by shelf order by id) rn from book) x where rn = 1
select shelf, sum(pages), rank() over (order by sum(pages)) from book group by shelf
select id, avg(price) over (order by id rows between 2 preceding and current row) from book
select day, kind, sum(n) from log group by day, kind
select day, sum(n) from log group by day order by day
select a.n, b.n from log a join log b on a.day = b.day and a.kind = b.kind and a.n < b.n
select day, kind, n from log where day = date '2024-03-02' and kind = 'in'
select day, count(distinct kind) from log group by day
select name from reader order by name
select name from reader order by born desc nulls last
select name from reader order by born nulls first
select id, title from book order by title, id limit 10
select id, title from book order by title desc, id limit 10
select id, shelf from book order by shelf desc nulls last, id limit 12
select id, shelf from book order by shelf nulls first, id limit 12
select id from book order by price * 2 desc nulls last, id limit 4
select id from book order by pages % 10, id limit 6
select title from book where id > 100 order by id limit 2
select balance, balance * 2, balance / 3 from reader
select sum(balance), avg(balance), min(balance) from reader
select name, balance from reader where balance < -3000.1234 order by balance
select name from reader where name = '李'
select name from reader where name >= 'Z'
select lower(name), count(*) from reader group by lower(name)
select extract(year from born) as y, count(*) from reader group by extract(year from born) order by y
select since, extract(hour from since) from loan where days = 3
select cast(since as date), count(*) from loan group by cast(since as date)
select x.shelf, x.n, s.floor from (select shelf, count(*) n from book group by shelf) x left join shelf s on s.code = x.shelf
select x.id, y.n from book x join (select book_id, count(*) n from loan group by book_id) y on x.id = y.book_id
select x.id, y.n from book x left join (select book_id, count(*) n from loan group by book_id) y on x.id = y.book_id
select r.name, y.n from reader r join (select reader_id, count(*) n from loan group by reader_id) y on r.id = y.reader_id
select r.name, y.n from reader r left join (select reader_id, count(*) n from loan group by reader_id) y on r.id = y.reader_id
select s.code, count(b.id) from shelf s left join book b on b.shelf = s.code group by s.code order by s.code
select case when count(*) > 10 then 'many' else 'few' end from loan
select sum(case when lent then 1 else 0 end), sum(case when lent then pages end) from book
select shelf, sum(case when lent then 1 else 0 end) * 1.0 / count(*) from book group by shelf
select stddev_samp(pages) from book
select shelf, var_pop(pages) from book group by shelf
select (id + 50) / 7 as seventh from book where (id + 50) / 7 < 4
select 1 / 4, 7 / 2
select id from book where true
select id from book where false
select id from book where 1 = 0 or id = 6
select id from book where null
select * from (values (1, 'a'), (2, 'b')) as v(n, s)
select b.id, v.s from book b join (values (6, 'six'), (13, 'thirteen')) as v(n, s) on b.id = v.n
select b.id from book b where (b.shelf, b.lent) in (select shelf, lent from book where id = 6)
select greatest(pages, 10), least(pages, 10) from book where pages is not null
select count(*) from book where title is distinct from 'Emma'
select max(title || shelf) from book
select id from book where char_length(coalesce(title, '')) > 5
select shelf, grouping(shelf), count(*) from book group by rollup(shelf)
-- joins on columns by which nothing is spread
select l.book_id, l.reader_id, r.name from loan l join reader r on l.reader_id = r.id where l.days > 12
select a.book_id, b.book_id from loan a join loan b on a.reader_id = b.reader_id and a.book_id < b.book_id
select a.book_id, b.reader_id from loan a join loan b on a.days = b.reader_id
select l.book_id, b.id from loan l join book b on l.days = b.pages
select l.book_id, b.id from loan l left join book b on l.days = b.pages
select l.book_id, b.id from loan l right join book b on l.days = b.pages
select l.book_id, b.id from loan l full join book b on l.days = b.pages
select a.id, b.id from book a join book b on a.shelf = b.shelf and a.lent = b.lent and a.id < b.id
select a.id, b.id from book a left join book b on a.title = b.title and a.pages < b.pages
select a.id, b.id from book a full join book b on a.published = b.published and a.id > 100
select b.id, r.name from book b full join reader r on b.title = r.name
select b.id, r.name from book b join reader r on lower(b.title) = lower(r.name)
select b.id, r.name from book b left join reader r on extract(year from b.published) = extract(year from r.born)
select b.id, l.n from book b join log l on b.pages = l.n
select b.id, l.day, l.kind from book b left join log l on b.id = l.n and l.kind = 'in'
select l.day, x.since from log l join (select cast(since as date) as since, days from loan) x on l.day = x.since
select l.day, x.days from log l left join (select cast(since as date) as since, days from loan) x on l.day + interval '1' month = x.since
select r.name, b.title, l.days from reader r join loan l on l.reader_id = r.id join book b on b.id = l.book_id and b.shelf = 'A'
select r.name, count(*), sum(b.pages) from reader r join loan l on l.reader_id = r.id join book b on b.id = l.book_id group by r.name
select r.name, x.n from reader r join (select reader_id, max(n) n from log join loan on n = days group by reader_id) x on x.reader_id = r.id
select x.reader_id, y.m from (select reader_id, count(*) c from loan group by reader_id) x join (select days, max(book_id) m from loan group by days) y on x.c = y.days
select a.reader_id, count(*) from loan a left join loan b on a.reader_id = b.days group by a.reader_id
select r.name from reader r left join loan l on l.reader_id = r.id where l.book_id is null
select s.code, x.n from shelf s join (select shelf, count(*) n from book group by shelf) x on x.shelf = s.code
select s.floor, count(*) from shelf s join book b on s.code = b.shelf join loan l on l.days = b.pages group by s.floor
select a.big, b.id from book a join book b on a.big = b.big and a.id <> b.id
select a.id, b.id from book a join book b on a.price = b.price + 1
select a.id, b.id from book a join book b on a.weight * 8 = b.id
-- semi and anti joins
select id from book where pages in (select days from loan)
select id from book where pages not in (select days from loan where days is not null)
select id from book where pages not in (select days from loan)
select name from reader where name in (select title from book)
select name from reader where name not in (select title from book where title is not null)
select name from reader r where exists (select * from book b where b.title = r.name)
select name from reader r where not exists (select * from loan l where l.reader_id = r.id and l.days > 5)
select book_id from loan l where exists (select * from book b where b.pages = l.days and b.id <> l.book_id)
select book_id, since from loan l where not exists (select * from log g where g.n = l.reader_id and g.kind = 'in')
select id from book b where not exists (select * from book c where c.shelf = b.shelf and c.pages > b.pages)
select id from book where shelf in (select shelf from book group by shelf having count(*) > 7)
select name from reader where id in (select reader_id from loan) and id not in (select days from loan where days is not null)
select b.id, l.since from book b join loan l on l.book_id = b.id where exists (select * from reader r where r.id = l.reader_id) and not exists (select * from log g where g.n = b.id)
select b.id from book b where exists (select * from loan l join reader r on r.id = l.reader_id where l.book_id = b.id and r.name like '%a%')
select b.shelf, count(*) from book b where b.id in (select book_id from loan where reader_id in (select id from reader where name not in (select title from book where title is not null))) group by b.shelf
select r.name, count(*) from reader r join loan l on l.reader_id = r.id where not exists (select * from loan m where m.book_id = l.book_id and m.reader_id = r.id and m.since > l.since) group by r.name
select l.book_id, b.title from loan l left join book b on b.id = l.book_id and b.pages > 20 where b.id is null
select l.book_id, b.title from loan l left join book b on b.id = l.book_id where b.id is null or b.pages > 20
select x.id, count(*) from (select b.id, s.floor from book b join shelf s on s.code = b.shelf) x where exists (select * from loan l where l.book_id = x.id and l.days > x.floor) group by x.id
select id from book where not exists (select * from loan where days > 1000000)
select id from book where not exists (select * from loan)
-- groups and sets of them
select title, count(*), sum(pages), avg(price), min(published), max(big) from book group by title
select days, count(distinct reader_id), count(distinct book_id) from loan group by days
select reader_id, count(distinct days), sum(days), count(*) from loan group by reader_id
select count(distinct days), sum(distinct days), avg(distinct days) from loan
select count(distinct since), count(distinct days) from loan
select count(distinct price), count(distinct weight), count(distinct published), count(distinct lent) from book
select reader_id, stddev_samp(days) from loan group by reader_id
select kind, count(*) from log group by kind having sum(n) > 100
select shelf, lent, title, count(*) from book group by grouping sets ((shelf, lent), (title), ())
select reader_id, days, sum(book_id) from loan group by cube(reader_id, days)
select shelf, count(distinct title) from book group by rollup(shelf)
select extract(month from since) m, reader_id, count(*) from loan group by extract(month from since), reader_id
select n, count(*) from (select days, count(*) as n from loan group by days) x group by n
select max(c), min(c) from (select title, shelf, count(*) as c from book group by title, shelf) x
-- set operations
select days from loan union select pages from book
select reader_id, days from loan intersect select n, n from log
select days from loan except select n from log
select title from book union select name from reader union select code from shelf
select pages from book intersect all select days from loan
select reader_id from loan except all select id from reader
select published from book union select day from log
-- windows over rows from many actors
select book_id, since, rank() over (partition by reader_id order by since) from loan
select book_id, since, sum(days) over (partition by reader_id order by since, book_id) from loan
select id, case when row_number() over (partition by title order by id) = 1 then 'first' else 'other' end from book
select id, max(pages) over (partition by shelf), min(pages) over (partition by shelf, lent) from book
select id, count(*) over () from book
select * from (select reader_id, book_id, since, row_number() over (partition by reader_id order by since desc, book_id) as k from loan) x where k <= 2
select name, first_value(name) over (partition by extract(month from born) order by name) from reader
select day, n, n - lag(n) over (partition by kind order by n) from log
select kind, n, ntile(3) over (partition by kind order by n) from log
-- columns of the answer whose names, or those that a stage gives them, are names of what it reads
select sum(pages) total, shelf from book group by shelf order by shelf limit 2
select sum(pages) total, shelf from book group by shelf order by 2 limit 2
select avg(price), shelf, count(*) from book group by shelf order by shelf
select count(*), lent, shelf from book group by lent, shelf order by shelf, lent limit 5
with t as (select sum(pages) s, shelf r from book group by shelf order by r limit 2) select * from t order by s
select r, s from (select sum(pages) s, shelf r from book group by shelf order by r desc limit 3) x order by s desc
select row_number() over (order by pages, id) k, pages, id from book order by id limit 3
select max(pages) over (partition by shelf) m, pages, id from book order by shelf, id
select pages id, id pages from book order by book.id
select pages id, id pages from book order by id, pages
select pages id, sum(id) pages from book group by pages order by 2, 1
select -id id, id + 1 pages from book order by id
select pages, shelf, id from book order by id, pages limit 7
select shelf, id from (select id, shelf, pages from book order by pages nulls first, id limit 5) x order by id
select distinct days, reader_id, book_id from loan order by book_id, reader_id, days
select days, book_id from loan union all select reader_id, book_id from loan order by 2, 1
select a.days, b.name, a.book_id from loan a join reader b on a.reader_id = b.id order by b.name, a.book_id, a.since
select count(*), kind, day from log group by grouping sets ((kind), (day), ()) order by day, kind
select sum(n) kind, kind n from log group by kind having sum(n) > 100 order by 2
select sum(n) n, day from log group by day having sum(n) > 30 order by day
select lag(id) over (order by id) p, id from book order by id desc limit 3
select x.n, x.day from (select sum(n) n, day from log group by day order by n desc limit 2) x order by day
-- what constants are computed as, and how texts are compared, is DuckDB's business
select cast(1.5 as integer), cast(-1.5 as integer), cast(2.5 as bigint), cast(0.5 as integer)
select cast('1.5' as integer), cast(' 17 ' as integer), cast('2024-02-29' as date), cast('1e3' as double)
select cast(1e10 as bigint), cast(1.005 as decimal(10,2)), cast(12345.678 as decimal(10,1)), cast(1 as decimal(10,3))
select cast(2000000000 as bigint) * 2, cast(1 as double) / 3, cast(1 as decimal(10,3)) / 3
select cast('abc' as varchar(2)), cast('ab' as char(5)) || 'x', cast(1.50 as varchar), cast(1e0 as varchar)
select cast(timestamp '2024-02-29 12:34:56.789' as date), cast('2024-02-29 12:34:56.789012' as timestamp)
select 'a' = 'a ', 'a' in ('a ', 'b'), case 'a ' when 'a' then 1 else 2 end, nullif('a', 'a ')
select x || '!' from (values ('a'), ('abc')) v(x) where x in ('a', 'abc ')
select id, 10 / (pages - 5), 10 % (id + 43), mod(10, id + 43) from book
select id from book where 10 % (id + 43) is null
select count(10 % (id + 43)), count(*) from book
select id from book where not (10 % (id + 43) is not null)
select id, coalesce(10 / (id + 43), -1) from book
select id from book where 10 % (id + 43) = 10 % (id + 43)
select id from book where 10 % (id + 43) not in (select days from loan where days is not null)
select since from loan where since in (timestamp '2024-02-02 01:30:00.123451', timestamp '2024-03-03 02:30:00.123452')
-- patterns
select title from book where title like '100%%%_sure' escape '%'
select title from book where title like '%%sure' escape '%'
select title from book where title like '100%__sure' escape '_'
select title from book where title like '100%%__sure' escape '_'
select title from book where title like '%!_sure' escape '!'
select title from book where title not like '100%%%_sure' escape '%'
select title from book where title like '%%' or title like 'x'
select title from book where title like '_m%_' and title like title
select title like '%\%%', title like '%\_%' escape '\', title ilike 'EM%' from book
-- operators
select 7 // 2 as a, 1 as b
select id // 3, -id // 3, pages // 7, id // (id + 43), 2 * id // 3 * 2, id // 3 // 2, abs(id) // 2, id / 2 // 2 from book
select (id + 1) // (3), id from book -- a comment // 2
select sum(id // 2), id // 7 from book group by id // 7
select '//', "id" // 2 as "a//b" /* // */ from book
select id from book where pages == 5 or title ~ 'E.*' and title !~ 'x'
-- sub-queries that stand for a value, of at most one row where a row asks
select (select title from book where id = 6), (select pages from book where id > 10000)
select name, (select title from book b where b.id = r.id) from reader r
select name, (select lent from book b where b.id = r.id * 7 - 1 and b.pages > 0), (select published from book where id = 6) from reader r
select id from book where pages = (select days from loan where book_id = 6 and reader_id = 8)
select name from reader where id > (select floor from shelf where code = 'D')
select id from book b where title = (select name from reader r where r.name = b.title)
select s.code, (select b.title from book b where b.shelf = s.code and b.id < -30) from shelf s order by s.code
select code, (select floor from shelf t where t.code < s.code and t.floor is null) from shelf s
select sum((select floor from shelf s where s.code = b.shelf)) from book b
select coalesce((select id from book where id > 10000), -1)
select code from shelf s where code in ('A', 'D') and (select l.days from loan l where l.book_id = s.floor and l.days > 5) is null
-- the same set of groups, twice
select shelf, sum(pages) from book group by cube(shelf, shelf)
select shelf, lent, count(*) from book group by rollup((shelf, lent), shelf)
select shelf, count(*), grouping(shelf) from book group by rollup(shelf, shelf) order by 1, 2
select shelf, lent, sum(distinct pages) from book group by rollup(shelf, lent), cube(shelf)
select shelf as s, count(*) from book group by grouping sets (cube(s, shelf), rollup(s)) having count(*) > 8
-- Columns of joined tables that have one name, where all of them are passed on.
select count(*) from (select a.id x, b.id y from book a cross join shelf s left join book b on a.id = b.id where s.floor > 0) t join reader r on t.x = r.id
select 1.5 as v from shelf q join shelf p on true right join shelf o on p.code = o.code group by grouping sets ((q.code))
select t."X", u."x" from (select id as "X", pages as x from book) t("X", y) join (select 1 as "x") u on true
-- No rows have types, too.
select extract(year from max(published)) as y from book group by shelf having false
select d - interval '90' minute as e from (select cast(published as timestamp) as d from book order by id limit 0) t
select extract(month from cast(null as date)) as m, upper(cast(null as varchar)) as u from shelf
select position(t in t) from (select 'a' as t from shelf group by code) v right join reader r on 1.5 <> 1.5
-- The group of all rows is there without rows, but not if HAVING is false.
select 1 as x from (select true as a from book group by rollup (shelf)) t where 'x' is not distinct from 'a' group by a
select count(*) from book having false
select shelf, count(*) from book group by cube (shelf) having 1 > 2
select code from shelf where exists (select 1 from book where id is null group by grouping sets ((id), ()))
select code from shelf s where (select count(*) from book where id is null group by rollup (id)) = 0
select code from shelf s where 1 not in (select 3 from nothing n where 0 not in (select 5 from reader where n.what not between n.what and n.what) group by n.id)
-- Constants among sort keys and group keys are no places of columns; windows may be grouped by.
select id, 'x' as a, true as b, 1.5 as c from book order by a, id desc, b, c limit 3
select 5 as a, 'a' as b from book order by 2 desc nulls first, a limit 2
select distinct 7 as a from book
select distinct 0 as a, 0.5 as b, shelf from book
select a, count(*) from (select 3 as a, shelf from book) t group by rollup (a, shelf) order by 1, 2
select distinct max(pages) over (partition by shelf) as m from book
select distinct sum(1) over (order by floor) as n from shelf
select count(*) from book where exists (select distinct sum(1) over (order by floor) from shelf)
-- columns that two tables have in common
select id, b.title, r.name from book b join reader r using (id) where id > 1 order by id
select id, b.title, r.name from book b full join reader r using (id) where id > 1 order by id
select id, count(*) from book right join reader using (id) group by id having id < 8
select id + 1, coalesce(id, 0), case when id = 6 then 'six' end from book full join reader using (id) order by id + 1
select id, title, name from book natural full join reader order by id
select id, count(name) from book natural left join reader group by rollup(id) order by id nulls first
select book_id, id, l.days from loan l join loan m using (book_id, reader_id) join reader on id = reader_id
select * from book b join reader r using (id)
select * from book natural join reader
select s.code, a.id, b.name from shelf s, book a right join reader b using (id)
select count(*) from shelf, book b full join reader r on b.id = r.id
with x as (select id, pages from book join reader using (id)) select id, days from x join loan on book_id = id order by id, days
select * from book full join reader using (id) full join nothing using (id)
select 2 * 2 ^ 3, 5 & 3, 1 << 3, 1 isnull, -2 ** 2
-- what Calcite's way with sub-queries would make something else of
select (1,2) <> any (select 1,3), (1,0) < any (select 1,1), (1,2) = any (select 1,2), (1,2) not in (select 1,3)
select id, (id, pages) <> any (select book_id, days from loan), (id, pages) in (select book_id, days from loan) from book
select name from reader r where exists (select 1 from (select l.book_id, row_number() over (order by l.book_id) k from loan l where l.reader_id < r.id) s where s.k = 2)
select name, (select max(k) from (select row_number() over (order by l.days) k from loan l where l.reader_id = r.id) s) from reader r
select name, null in (select title from book b where b.title = r.name), null not in (select title from book b where b.title > r.name) from reader r
select code, floor in (select b.id from book b where b.shelf > s.code and b.id = 1) from shelf s
select (select covar_pop(r.id, r.id) from book limit 1) from reader r
select name, (select sum(b.pages + r.id) from book b) from reader r
select name, (select sum((select count(*) from book b where b.id = l.book_id and b.pages > r.id)) from loan l where l.reader_id = r.id) from reader r
select name from reader r where exists (select 1 from loan l where l.reader_id = r.id and not exists (select 1 from book b where b.id = l.book_id and b.pages > r.id))
select name, s.k from reader r, lateral (select row_number() over (order by l.days, l.book_id) k from loan l where l.reader_id = r.id) s

-- a window that adds a frame to another keeps it
select id, count(*) over w as x from book window base as (order by id), w as (base rows between current row and unbounded following) order by id
select id, count(*) over (base rows between 1 preceding and current row) as x from book window base as (order by id) order by id
select i, j from (values (1), (2)) t(i) left join unnest([7]) u(j) on true order by all
select len(i) n, j from (values ([1]), (cast([] as integer[]))) t(i) left join lateral (select unnest(i)) u(j) on true order by all

-- sub-queries within sub-queries, and groups of constants beside them
select count(*) from shelf group by floor having not exists (select 1 from nothing x where exists (select 1 from shelf where 1 = x.id))
select distinct 1 c0 from nothing b where 'a' = (select b.what from shelf order by 1 limit 1)
select 1 c0, count(*) from nothing b where 'a' = (select b.what from shelf order by 1 limit 1) group by 1
select distinct 1 c0 from book b where b.shelf = (select max(code) from shelf where code = b.shelf)

-- a cast behind something casts that alone
select 1.5 * 2.6::int, 2.6 + 1::int * 2, 1.5 - 2.6::int - 1.4::int, -2.5::int, - -1.5::int::bigint from shelf
select id, pages + weight::integer, weight::integer * 2 + 0.5::integer, -pages::double / 4 from book
select count(*) from book where pages::varchar = '5'::varchar and id::varchar = '1'::varchar or shelf::varchar = 'A'
select shelf, sum(weight::integer) + count(*)::double / 3 from book group by shelf having sum(pages)::integer + 1::integer > 2
select id from book where not (pages > 5)::boolean order by -id::bigint
select id, 'p' || pages::varchar || 'q', (pages + 1.7)::integer * 2 from book
-- a decimal of which nothing is said has three digits after the point; a literal has the type that it is cast to
select 1.5::decimal, cast(2.25 as numeric), cast('1.2345' as decimal), cast(pages as decimal) / 7, try_cast(weight as decimal) from book
select typeof(5::decimal), typeof(.25::decimal(2, 2)), typeof((-2147483648)::integer), typeof(-2147483648), typeof((-2147483648)::bigint) from shelf
select (-2147483648)::integer::bit::varchar, (-9223372036854775808)::bigint::bit::varchar, cast(-2147483648 as integer)::bit::varchar from shelf

-- rows are structs, in which null is a value; those of a sub-query are compared column by column
select id from book where (pages, shelf) not in ((5, null), (16, 'A'))
select count(*) from book a join book b on (a.pages, a.shelf) = (b.pages, b.shelf)
select id, case (pages, shelf) when (5, null) then 1 when (null, 'A') then 2 else 3 end, (pages, shelf) is distinct from (5, null) from book
select id, (pages, shelf) in (select pages, shelf from book b where id > 2) as x, (pages, shelf) not in (select 5, null) as y from book
select id from book where (pages, shelf) in (select pages, shelf from book b where id > 2)
select id from book where (pages, shelf) not in (select pages, shelf from book b where id = 2)

-- any and all beside columns of the names that the planner gives to what it computes for them
select c from (select id as c, pages as m, shelf as d, id as i from book) x where m <> any (select pages from book where pages is not null)
select c, d = all (select shelf from book where id < 0), d <> any (select shelf from book), m = all (select pages from book where id = 1) from (select id as c, pages as m, shelf as d from book) x
select c from (select id as c, pages as m, shelf as d from book) x where m <> any (select pages from book b where b.shelf = x.d) and d <> any (select shelf from book) or c = all (select id from book where id = 3)
select 1 as a from shelf where 'a' = all (select 'a' from shelf) and 'b' <> any (select code from shelf)

-- a query without rows exists no more because another depends on its rows
select b.c2 in (select b.c2 from shelf) as z from (select id as c2 from book where exists (select what from nothing where id < 0)) b
select count(*), count(*) filter (where b.c2 in (select b.c2 from shelf)) from (select id as c2 from book where exists (select max(id) from nothing where id < 0 group by what)) b group by cube (b.c2)
select id from book b where exists (select 1 from nothing where id < 0) and exists (select 1 from book c where c.id = b.id)
select id from (select id from book where not exists (select 1 from nothing where id < 0)) b where (select max(c.id) from book c where c.id = b.id) > 1
-- a first value is taken of values of several types, whatever is missing
select id, coalesce(coalesce(coalesce(price, pages), id), 0) from book
select coalesce(null, pages, 1.5), coalesce(null, null, title) from book
select coalesce(sum(pages), 0), coalesce(count(*), 0) from book where coalesce(coalesce(title, shelf), 'x') <> 'x'
select coalesce(shelf, 'none') as s, count(*) from book group by coalesce(shelf, 'none') order by 1
select b.id, coalesce(l.days, 0) from book b left join loan l on l.book_id = b.id and coalesce(l.days, 0) > 10
-- in HAVING, a name is that of a group first, also of one in a set
select -pages as pages from book group by rollup(pages) having pages > 300 order by 1
select shelf as title, title as shelf from book group by grouping sets ((shelf), (title)) having shelf > 'a' order by 1, 2
select 1e0 as floor from shelf group by grouping sets ((code, floor)) having 1.5 > floor
select pages % 7 as id, count(*) as pages from book group by cube(id, pages) having id > 3 order by 1, 2
select pages % 7 as p, count(*) as c from book group by rollup(pages % 7) having p > 3 and c > 1 order by 1
-- a name in an expression among sort keys, or in QUALIFY, is that of a column of the tables first
select id, -pages as pages from book order by pages + 0 nulls last, id
select -id as id from (select id from book) b order by case when id > 5 then id else 10 end, 1
with b as (select id as n from book) select 100 - n as n from b order by n * 1
select -pages as pages, id from book qualify row_number() over (order by pages, id) > 2 and pages > 100
select shelf, sum(pages) as total from book group by shelf order by total + 1 nulls last
select shelf, count(*) as many from book group by rollup(shelf) having many > 1 order by many * 2, shelf
-- a name that is that of a table is its row, not a column of the query around
select id, (select count(*) from shelf title where title is not null) from book
