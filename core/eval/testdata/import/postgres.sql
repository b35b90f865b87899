SELECT name, city FROM customers WHERE city LIKE 'P%' ORDER BY name
SELECT name FROM products WHERE name ILIKE 'p%' ORDER BY 1
SELECT name FROM products WHERE name LIKE 'p%'
SELECT name FROM customers ORDER BY score DESC, name
SELECT name FROM customers ORDER BY score, name
SELECT name FROM customers ORDER BY score DESC NULLS LAST, name LIMIT 3
SELECT c.name, COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY n DESC, c.name
SELECT EXTRACT(YEAR FROM placed_on) AS y, COUNT(*) FROM orders GROUP BY y ORDER BY y
SELECT date_trunc('month', placed_on) AS m, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT to_char(placed_on, 'YYYY-MM'), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT to_char(placed_on, 'FMMonth'), to_char(placed_on, 'Mon'), to_char(shipped_at, 'HH24:MI:SS'), to_char(placed_on, 'DD/MM/YYYY') FROM orders
SELECT EXTRACT(DOW FROM placed_on), EXTRACT(ISODOW FROM placed_on), EXTRACT(WEEK FROM placed_on), EXTRACT(QUARTER FROM placed_on), EXTRACT(DOY FROM placed_on) FROM orders
SELECT placed_on + INTERVAL '1 month', placed_on - INTERVAL '10 days', placed_on + 5 FROM orders
SELECT shipped_at::date - placed_on FROM orders WHERE shipped_at IS NOT NULL
SELECT EXTRACT(EPOCH FROM shipped_at - placed_on) / 3600 FROM orders
SELECT EXTRACT(DAY FROM shipped_at - placed_on) FROM orders
SELECT EXTRACT(YEAR FROM age(DATE '2024-06-01', born)) FROM customers
SELECT name FROM customers WHERE born >= DATE '1985-01-01' AND joined < TIMESTAMP '2023-06-01 00:00:00'
SELECT id FROM orders WHERE placed_on BETWEEN '2023-02-01' AND '2023-03-31'
SELECT id FROM orders WHERE shipped_at >= '2024-01-02'
SELECT name FROM customers WHERE active
SELECT name FROM customers WHERE NOT active AND score IS NOT NULL
SELECT active, COUNT(*) FILTER (WHERE score > 7) FROM customers GROUP BY active
SELECT 7 / 2, -7 / 2, 7 % 3, 7.0 / 2
SELECT SUM(qty) / COUNT(*), AVG(qty), SUM(qty)::numeric / COUNT(*) FROM lines
SELECT ROUND(AVG(price), 2), ROUND(SUM(price) / 3, 1) FROM products
SELECT DISTINCT ON (customer_id) customer_id, id, placed_on FROM orders ORDER BY customer_id, placed_on DESC
SELECT string_agg(name, ', ' ORDER BY name DESC) FROM customers WHERE city = 'Paris'
SELECT city, string_agg(name, '/' ORDER BY id) FROM customers GROUP BY city
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM products
SELECT category, percentile_cont(0.25) WITHIN GROUP (ORDER BY price) FROM products GROUP BY category
SELECT name || ' (' || COALESCE(city, 'n/a') || ')' FROM customers
SELECT CONCAT(name, ' ', city) FROM customers
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
SELECT name FROM customers WHERE id = ANY (SELECT customer_id FROM orders WHERE status = 'open')
SELECT name FROM products WHERE price > ALL (SELECT price FROM products WHERE category = 'kitchen')
SELECT name FROM customers WHERE city IS DISTINCT FROM 'Paris'
SELECT name, rank() OVER w, sum(salary) OVER w FROM employees WINDOW w AS (PARTITION BY dept ORDER BY salary DESC)
SELECT name, first_value(name) OVER (PARTITION BY dept ORDER BY salary DESC, id), ntile(3) OVER (ORDER BY id) FROM employees
SELECT id, avg(salary) OVER (ORDER BY hired ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM employees
SELECT name, salary, salary::float / SUM(salary) OVER (PARTITION BY dept) AS part FROM employees
WITH RECURSIVE t AS (SELECT id, name, 1 AS depth FROM employees WHERE boss_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employees e JOIN t ON e.boss_id = t.id) SELECT depth, COUNT(*) FROM t GROUP BY depth ORDER BY depth
WITH monthly AS (SELECT date_trunc('month', o.placed_on) AS m, SUM(l.qty * l.price) AS revenue FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY 1) SELECT m, revenue, revenue - LAG(revenue) OVER (ORDER BY m) FROM monthly ORDER BY m
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.placed_on > c.joined)
SELECT c.name, (SELECT o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.placed_on DESC LIMIT 1) FROM customers c
SELECT c.name, (SELECT SUM(l.qty) FROM orders o JOIN lines l ON l.order_id = o.id WHERE o.customer_id = c.id) FROM customers c
SELECT name FROM employees e WHERE salary > (SELECT AVG(salary) FROM employees x WHERE x.dept = e.dept)
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders ORDER BY 1
(SELECT id FROM customers WHERE id < 3) UNION ALL (SELECT id FROM orders WHERE id > 10) ORDER BY 1 DESC
SELECT city FROM customers INTERSECT SELECT city FROM customers WHERE active UNION SELECT 'Berlin'
SELECT COALESCE(o.status, 'none'), COUNT(*) FROM customers c FULL JOIN orders o ON o.customer_id = c.id GROUP BY 1
SELECT a.name, b.name FROM customers a JOIN customers b ON a.city = b.city AND a.id < b.id
SELECT CAST(score AS INTEGER), CAST(id AS TEXT) || '!', price::int FROM customers JOIN products USING (id)
SELECT GREATEST(score, 7), LEAST(score, 7), NULLIF(city, 'Oslo') FROM customers
SELECT LENGTH(name), POSITION('a' IN name), SUBSTRING(name FROM 2 FOR 2), UPPER(LEFT(name, 1)), RIGHT(name, 2), LPAD(id::text, 4, '0') FROM customers
SELECT bool_and(active), bool_or(active) FROM customers
SELECT stddev(price), variance(price) FROM products
SELECT CASE WHEN COUNT(*) > 5 THEN 'many' ELSE 'few' END FROM orders
SELECT c.name FROM customers c LEFT JOIN (orders o JOIN lines l ON l.order_id = o.id) ON o.customer_id = c.id AND l.qty > 5 WHERE o.id IS NULL
SELECT (customer_id, status) IN ((1, 'paid'), (2, 'open')) FROM orders WHERE customer_id IS NOT NULL
SELECT status, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () FROM orders GROUP BY status
SELECT SUBSTRING(name FROM POSITION('a' IN name) + 1 FOR 2) FROM customers
SELECT stddev_pop(price), var_pop(price), var_pop(stock) FROM products GROUP BY category
SELECT T1."Name", t2."STATUS" FROM "Customers" AS T1 JOIN Orders AS T2 ON T1."ID" = T2.Customer_id
SELECT split_part(name, 'a', 1), split_part(name, 'a', 2), split_part(city, 'is', 1) FROM customers
