SELECT name, city FROM customers WHERE city = 'rome' ORDER BY name
SELECT name FROM customers WHERE city LIKE 'R%' ORDER BY id
SELECT `name` FROM `products` WHERE `name` = 'PEN'
SELECT name FROM customers ORDER BY score, name
SELECT name FROM customers ORDER BY score DESC, name LIMIT 2, 3
SELECT c.name, COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY n DESC, c.name
SELECT YEAR(placed_on) AS y, COUNT(*) FROM orders GROUP BY y ORDER BY y
SELECT DATE_FORMAT(placed_on, '%Y-%m') AS m, COUNT(*) FROM orders GROUP BY m ORDER BY m
SELECT DATE_FORMAT(placed_on, '%M %e, %Y'), DATE_FORMAT(shipped_at, '%H:%i'), DATE_FORMAT(placed_on, '%W') FROM orders
SELECT MONTH(placed_on), DAY(placed_on), QUARTER(placed_on), DAYOFWEEK(placed_on), WEEKDAY(placed_on), DAYOFYEAR(placed_on), WEEK(placed_on, 3) FROM orders
SELECT DATE_ADD(placed_on, INTERVAL 1 MONTH), DATE_SUB(placed_on, INTERVAL 10 DAY), placed_on + INTERVAL 1 YEAR FROM orders
SELECT DATEDIFF(shipped_at, placed_on) FROM orders
SELECT TIMESTAMPDIFF(HOUR, placed_on, shipped_at), TIMESTAMPDIFF(DAY, placed_on, shipped_at), TIMESTAMPDIFF(MONTH, placed_on, '2024-08-01') FROM orders
SELECT TIMESTAMPDIFF(YEAR, born, '2024-06-01') FROM customers
SELECT LAST_DAY(placed_on), DAYNAME(placed_on), MONTHNAME(placed_on) FROM orders
SELECT EXTRACT(YEAR FROM placed_on), EXTRACT(MONTH FROM placed_on), EXTRACT(YEAR_MONTH FROM placed_on) FROM orders
SELECT id FROM orders WHERE placed_on BETWEEN '2023-02-01' AND '2023-03-31'
SELECT id FROM orders WHERE shipped_at >= '2024-01-02'
SELECT id FROM orders WHERE DATE(shipped_at) = '2024-01-02'
SELECT 7 / 2, 7 DIV 2, 7 MOD 3, -7 / 2, 1 / 0
SELECT SUM(qty) / COUNT(*), AVG(qty), 1 / 3 FROM `lines`
SELECT SUM(status = 'paid') / COUNT(*) * 100 FROM orders
SELECT SUM(IF(status = 'paid', 1, 0)), COUNT(IF(status = 'open', 1, NULL)) FROM orders
SELECT ROUND(AVG(price), 2), ROUND(SUM(price) / 3, 1), FLOOR(AVG(price)), CEIL(AVG(price)) FROM products
SELECT CONCAT(name, ' ', city) FROM customers
SELECT CONCAT(name, '-', id, '-', IFNULL(city, '?')) FROM customers
SELECT GROUP_CONCAT(name ORDER BY name SEPARATOR '; ') FROM customers WHERE city = 'Paris'
SELECT customer_id, GROUP_CONCAT(DISTINCT status ORDER BY status DESC) FROM orders WHERE status <> 'Returned' GROUP BY customer_id
SELECT IF(score > 8, 'high', 'low'), IFNULL(score, 0), NULLIF(city, 'Oslo'), COALESCE(city, name) FROM customers
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)
SELECT name FROM products WHERE price >= ALL (SELECT price FROM products WHERE category = 'home')
SELECT name FROM customers WHERE id = ANY (SELECT customer_id FROM orders WHERE status = 'open')
SELECT name FROM customers WHERE NOT (city <=> 'Paris')
SELECT name FROM customers WHERE active AND score
SELECT name, RANK() OVER (PARTITION BY dept ORDER BY salary DESC) AS r FROM employees
SELECT name, SUM(salary) OVER (ORDER BY hired), AVG(salary) OVER (PARTITION BY dept) FROM employees
SELECT name, LAG(salary) OVER (ORDER BY hired), DENSE_RANK() OVER (ORDER BY salary) FROM employees
WITH RECURSIVE t AS (SELECT id, name, 1 AS depth FROM employees WHERE boss_id IS NULL UNION ALL SELECT e.id, e.name, t.depth + 1 FROM employees e JOIN t ON e.boss_id = t.id) SELECT depth, COUNT(*) FROM t GROUP BY depth ORDER BY depth
WITH t AS (SELECT order_id, SUM(qty * price) AS total FROM `lines` GROUP BY order_id) SELECT o.status, SUM(t.total), MAX(t.total) FROM t JOIN orders o ON o.id = t.order_id GROUP BY o.status
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'open')
SELECT c.name, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c HAVING n > 1
SELECT c.name, (SELECT o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.placed_on DESC LIMIT 1) FROM customers c
SELECT e.name FROM employees e WHERE e.salary > (SELECT AVG(x.salary) FROM employees x WHERE x.dept = e.dept)
SELECT id FROM customers UNION SELECT customer_id FROM orders WHERE customer_id IS NOT NULL ORDER BY id
(SELECT name FROM customers ORDER BY score DESC, id LIMIT 2) UNION ALL (SELECT name FROM employees ORDER BY salary, id LIMIT 1)
SELECT c.name, o.id FROM customers c RIGHT JOIN orders o ON o.customer_id = c.id
SELECT a.name, b.name FROM customers a JOIN customers b ON a.born = b.born AND a.id < b.id
SELECT CAST(code AS SIGNED) FROM customers WHERE id IN (1, 2, 5, 7)
SELECT CAST(price AS DECIMAL(10,1)), CAST(id AS CHAR), CONVERT(price, SIGNED) FROM products
SELECT GREATEST(score, 7), LEAST(score, 7), ABS(id - 5), MOD(id, 3) FROM customers
SELECT LENGTH(name), LOCATE('a', name), SUBSTRING(name, 2, 2), UPPER(LEFT(name, 1)), RIGHT(name, 2), LPAD(id, 4, '0'), SUBSTRING(name, -2), REPLACE(name, 'a', 'o') FROM customers
SELECT COUNT(DISTINCT city, active) FROM customers
SELECT CASE WHEN COUNT(*) > 5 THEN 'many' ELSE 'few' END FROM orders
SELECT name FROM products WHERE name LIKE '%50\%'
SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING n > 1 ORDER BY n DESC, status
SELECT category, name, price FROM products p WHERE price = (SELECT MAX(price) FROM products WHERE category = p.category)
SELECT STDDEV_SAMP(price), VAR_SAMP(price) FROM products
SELECT dept, SUM(salary) FROM employees WHERE hired > '2012-12-31' GROUP BY dept ORDER BY SUM(salary) DESC
SELECT DISTINCT YEAR(joined) FROM customers ORDER BY YEAR(joined) DESC
SELECT SUBSTRING(name, LOCATE('a', name) + 1) FROM customers
SELECT STD(price), VARIANCE(price), STDDEV(price) FROM products
SELECT C.Name, o.STATUS FROM Customers c JOIN ORDERS AS O ON o.customer_id = C.id
SELECT SUBSTRING_INDEX(name, 'a', 1), SUBSTRING_INDEX(name, 'a', -1), SUBSTRING_INDEX(status, 'p', -1) FROM customers JOIN orders ON orders.id = customers.id
