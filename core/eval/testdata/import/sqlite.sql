SELECT name, city FROM customers WHERE city = 'Paris' ORDER BY name
SELECT * FROM customers c, orders o WHERE c.id = o.customer_id AND o.status = 'paid' ORDER BY o.id
SELECT c.name, COUNT(o.id) n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY n DESC, c.name
SELECT city, COUNT(*) FROM customers GROUP BY city HAVING COUNT(*) > 1 ORDER BY 1
SELECT DISTINCT city FROM customers ORDER BY city
SELECT name FROM customers ORDER BY score
SELECT name FROM customers ORDER BY score DESC LIMIT 3
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE status = 'paid')
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE placed_on >= '2024-01-01')
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = 'open')
SELECT name FROM customers c WHERE NOT EXISTS (SELECT * FROM orders WHERE customer_id = c.id)
SELECT name, (SELECT COUNT(*) FROM orders WHERE customer_id = customers.id) AS n FROM customers
SELECT name, (SELECT MAX(placed_on) FROM orders o WHERE o.customer_id = c.id) FROM customers c
SELECT name FROM products p WHERE price > (SELECT AVG(price) FROM products q WHERE q.category = p.category)
SELECT o.id, (SELECT name FROM customers WHERE id = o.customer_id) FROM orders o
SELECT c.name, (SELECT o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.placed_on DESC LIMIT 1) FROM customers c
SELECT name FROM customers WHERE (SELECT COUNT(*) FROM orders WHERE customer_id = customers.id) >= 2
SELECT 7 / 2, -7 / 2, 7 % 3, 7.0 / 2, 1 / 0
SELECT SUM(qty) / COUNT(*), SUM(qty) * 1.0 / COUNT(*) FROM lines
SELECT SUM(status = 'paid'), COUNT(CASE WHEN status = 'open' THEN 1 END), AVG(status = 'paid') FROM orders
SELECT strftime('%Y', placed_on) y, COUNT(*) FROM orders GROUP BY y ORDER BY y
SELECT strftime('%Y-%m', placed_on), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT id FROM orders WHERE strftime('%Y', placed_on) = '2023' AND strftime('%m', placed_on) IN ('01', '02')
SELECT id FROM orders WHERE strftime('%m', placed_on) > '03'
SELECT CAST(strftime('%Y', placed_on) AS INTEGER) - 2000 FROM orders
SELECT date(placed_on, '+10 days'), date(placed_on, 'start of month'), date(placed_on, '-400 days') FROM orders
SELECT date(placed_on, 'start of month', '+1 month', '-1 day') FROM orders
SELECT id, julianday(shipped_at) - julianday(placed_on) FROM orders WHERE shipped_at IS NOT NULL
SELECT id, CAST(julianday(date(shipped_at)) - julianday(placed_on) AS INTEGER) FROM orders
SELECT strftime('%w', placed_on), strftime('%j', placed_on), strftime('%H:%M', shipped_at) FROM orders
SELECT id FROM orders WHERE placed_on BETWEEN '2023-02-01' AND '2023-03-31'
SELECT id FROM orders WHERE shipped_at > '2024-01-02 00:00:00'
SELECT substr(placed_on, 1, 4), substr(placed_on, 6, 2) FROM orders
SELECT name FROM customers WHERE name LIKE 'a%' OR name LIKE '%E'
SELECT name FROM products WHERE name LIKE '%50!%%' ESCAPE '!'
SELECT name FROM products WHERE name GLOB 'P*'
SELECT upper(name) || '-' || coalesce(city, '?') FROM customers
SELECT name, CASE WHEN score >= 8 THEN 'high' WHEN score IS NULL THEN 'none' ELSE 'low' END FROM customers
SELECT CASE city WHEN 'Paris' THEN 1 WHEN 'Rome' THEN 2 ELSE 0 END FROM customers
SELECT iif(active, 'yes', 'no'), ifnull(score, 0), nullif(city, 'Oslo') FROM customers
SELECT id FROM customers UNION SELECT customer_id FROM orders
SELECT city FROM customers UNION ALL SELECT status FROM orders ORDER BY 1 LIMIT 5
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders WHERE status = 'paid' ORDER BY id DESC
SELECT category FROM products WHERE price > 20 INTERSECT SELECT category FROM products WHERE stock > 4
WITH t AS (SELECT order_id, SUM(qty * price) total FROM lines GROUP BY order_id) SELECT o.status, SUM(t.total) FROM t JOIN orders o ON o.id = t.order_id GROUP BY o.status
WITH RECURSIVE chain(id, name, depth) AS (SELECT id, name, 0 FROM employees WHERE boss_id IS NULL UNION ALL SELECT e.id, e.name, c.depth + 1 FROM employees e JOIN chain c ON e.boss_id = c.id) SELECT name, depth FROM chain ORDER BY depth, name
SELECT e.name, b.name FROM employees e LEFT JOIN employees b ON e.boss_id = b.id
SELECT name, salary, RANK() OVER (PARTITION BY dept ORDER BY salary DESC) FROM employees
SELECT id, SUM(qty) OVER (ORDER BY order_id, line ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM lines JOIN products ON products.id = product_id
SELECT name, salary - LAG(salary) OVER (ORDER BY hired), LEAD(name, 1, 'last') OVER (ORDER BY hired) FROM employees
SELECT dept, AVG(salary), ROW_NUMBER() OVER (ORDER BY AVG(salary) DESC) FROM employees GROUP BY dept
SELECT * FROM (SELECT name, dept, ROW_NUMBER() OVER (PARTITION BY dept ORDER BY salary DESC, id) rn FROM employees) WHERE rn = 1
SELECT category, name, MAX(price) FROM products GROUP BY category
SELECT name, MIN(price) FROM products
SELECT group_concat(name, '; ') FROM (SELECT name FROM customers WHERE city = 'Paris' ORDER BY name)
SELECT customer_id, group_concat(DISTINCT status) FROM orders WHERE customer_id = 2 GROUP BY customer_id
SELECT code FROM customers WHERE code > 5
SELECT name FROM customers WHERE id = '3'
SELECT name FROM customers WHERE name = "Ada"
SELECT CAST(code AS INTEGER) + 1 FROM customers WHERE code NOT LIKE '%e%'
SELECT round(price * 1.1, 1), abs(stock - 50), max(stock, 10), min(price, 5) FROM products
SELECT length(name), replace(name, 'a', 'o'), instr(name, 'n'), trim('  x '), substr(name, -2), substr(name, 2) FROM customers
SELECT COUNT(DISTINCT city), COUNT(city), COUNT(*) FROM customers
SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id HAVING SUM(status = 'paid') > 1
SELECT o.id FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY o.id HAVING SUM(l.qty * l.price) > (SELECT AVG(t) FROM (SELECT SUM(qty * price) t FROM lines GROUP BY order_id))
SELECT name FROM customers NATURAL JOIN (SELECT id, status FROM orders)
SELECT status, name FROM orders JOIN customers USING (id) WHERE id < 4
SELECT (SELECT COUNT(*) FROM orders) - (SELECT COUNT(*) FROM customers), 'x' || 1
SELECT name FROM employees e WHERE salary = (SELECT MAX(salary) FROM employees WHERE dept = e.dept)
SELECT dept FROM employees GROUP BY dept HAVING MIN(salary) > (SELECT MIN(salary) FROM employees WHERE dept = 'sales')
SELECT name FROM customers WHERE (city, active) IN (SELECT city, active FROM customers WHERE id < 4)
SELECT name FROM customers WHERE score BETWEEN 6 AND 9 AND NOT active
SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.id IN (SELECT order_id FROM lines WHERE product_id IN (SELECT id FROM products WHERE category = 'home'))
SELECT name FROM customers ORDER BY city IS NULL, city COLLATE NOCASE, name
SELECT total(stock), printf('%.2f', AVG(price)) FROM products
SELECT city, name FROM customers GROUP BY city, name ORDER BY COUNT(*) DESC, city DESC, name LIMIT 4 OFFSET 1
VALUES (1, 'a'), (2, 'b')
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id GROUP BY o.customer_id HAVING COUNT(*) > 1)
SELECT p.name FROM products p WHERE NOT EXISTS (SELECT 1 FROM lines l WHERE l.product_id = p.id AND EXISTS (SELECT 1 FROM orders o WHERE o.id = l.order_id AND o.status = 'open'))
SELECT name, substr(name, instr(name, 'a') + 1), substr(name, 1, instr(name, '_') - 1), substr(name, id, 2) FROM products
SELECT e.name, m.name, COUNT(r.id) FROM employees e LEFT JOIN employees m ON m.id = e.boss_id LEFT JOIN employees r ON r.boss_id = e.id GROUP BY e.id
