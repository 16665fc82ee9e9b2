-- Statements that are not all cut into stages, compared as those of statements.sql are.
from book
from book select id, title where pages > 20
select id, title from book order by all
select shelf, count(*) from book group by all
select shelf, count(*), grouping_id(shelf) from book group by rollup (shelf) order by all
select distinct on (shelf) shelf, id from book order by shelf, id desc
select id, shelf from book qualify row_number() over (partition by shelf order by id) = 1 order by id
select id, shelf, row_number() over w as n from book window w as (partition by shelf order by id) qualify n = 2 order by id
select shelf, list(id order by id desc) as ids from book group by shelf order by shelf
select shelf, string_agg(title, '|' order by id) from book group by shelf order by shelf
select shelf, array_agg(pages order by id desc) from book group by shelf order by shelf
select id, {'title': title, 'pages': pages} as both_of_it from book order by id
select id, [pages, id::integer, null] as numbers from book order by id
select id, map([shelf], [pages]) from book where shelf is not null order by id
select id, list_transform([id, pages], lambda x: x * 2) from book order by id
select id, [x * 2 for x in [id, pages] if x > 10] from book order by id
select unnest([id, pages]) as n from book order by n
select id, title[1:2], title[-1] from book order by id
select * exclude (title, big) from book order by id
select * replace (pages * 2 as pages) from book order by id
select columns('p.*') from book order by id
select min(columns(* exclude (lent))) from book
with recursive up(n) as (select 1 union all select n + 1 from up where n < 20) select n, count(id) from up left join book on pages = n group by n order by n
with recursive chain(id, depth) as (select id, 0 from book where id = 6 union all select b.id, depth + 1 from chain c join book b on b.id = c.id + 7) select * from chain order by id
with book as (select id from book where id > 50) select count(*) from book
with a as materialized (select id from book), b as (select id from a where id > 0) select count(*) from b join a using (id)
select (select title from book where id = 6)
select id, (select r.name from reader r where r.id = b.pages) from book b order by id
select l.book_id, (select b.title from book b where b.id = l.book_id) from loan l order by all
select lead(pages ignore nulls) over (order by id) from book order by id
select id, covar_pop(pages, weight) over (order by id) from book order by id
select * from (select 1) t0(c0) group by c0 having c0 > 0
select percentile_cont(0.5) within group (order by pages) from book
select quantile_cont(pages, [0.25, 0.5]) , median(weight), mad(pages) from book
select arg_max(title, pages), arg_min(id, pages), any_value(shelf is null) from book where pages > 0
select shelf, histogram(pages > 20) from book group by shelf order by shelf
select count(*) filter (pages > 10), sum(pages) filter (where lent) from book
select * from book asof join log on published >= day order by all
select * from book semi join loan on id = book_id order by id
select * from book anti join loan on id = book_id order by id
select id, x from book, unnest([1, 2]) u(x) order by all
select b.id, t.n from book b, lateral (select b.id + 1 as n) t order by all
select i, count(id) from range(5) r(i) left join book on pages = i group by i order by i
select * from generate_series(1, 3) g(x) join shelf on floor = x order by all
pivot (select shelf, lent, pages from book where shelf is not null) on lent in (true, false) using sum(pages) group by shelf order by shelf
unpivot (select id, pages::bigint as pages, id * 2 as big from book) on pages, big into name what value n order by all
select id, title collate nocase as t from book order by t, id
select id from book where title ilike 'emma' order by id
select id from book where title similar to 'E.*' or title ~ 'e.*' order by id
select id, title ~~~ 'E*' from book order by id
select id::varchar || 'x', try_cast(title as integer), pages::double from book order by id
select id, date_trunc('month', published), published + interval 40 day, strftime(published, '%Y/%m'), age(published, date '2000-01-01') from book order by id
select id, case pages when 5 then 'five' else pages::varchar end as "case", from book order by id
select id from book where (pages, shelf) in ((5, 'A'), (16, 'B')) order by id
select id from book where (pages, id) > (20, 30) order by id
select id, 7 // 2 as a, pages // 3 as b from book order by id
select id, pages ** 2, pages & 7, pages << 1, xor(pages, 3) from book where pages > 0 order by id
select 'a' || null, concat('a', null, 'b'), concat_ws('-', 'a', null, 'b')
select $$it's a ? text$$, 'a''b', e'a\tb'
select 1_000, 0x1f, 1e3, .5, 5.
select count(*) from (select * from book using sample 5)
select sum(pages) over (order by id groups between 1 preceding and current row exclude current row) from book order by id
select id, first_value(title) over (order by published nulls first, id) from book order by id
select max(id) from book limit 50%
select sum(distinct pages order by pages) from book
select a.id, b.id from book a join book b on a.id < b.id and a.pages > b.pages order by all limit 20
values (1, 'a'), (2, 'b')
table shelf
select * from book natural join (select id, 1 as one from book where pages > 10) order by id
select * from (select id as "#x", title as "two words" from book) order by "#x"
select book from book order by id
select b.title, b from book b order by b.id
select id from book union by name select book_id as id, days from loan order by all
(select id from book order by id limit 3) union all (select book_id from loan order by all limit 2)
select id from book except all select book_id from loan order by all
select id from book intersect select book_id from loan order by all
select 2 * 2 ^ 3, 1 << 3, 1 isnull, $$abc$$
select id & 3, id from book order by id

-- names of fields beyond ASCII, and characters beyond U+FFFF where they are values
select {'año': 1, 'ð': 2, '中': 3}, {'😀': 7}['😀'], map {'😀': id} from book
select id from book x where not exists (select 9 from loan where 1.5 >= all (select 1.5 from loan) and x.shelf not like '%')
select id from book x where exists (select 9 from loan where x.id > any (select book_id from loan) and x.pages is not null)
