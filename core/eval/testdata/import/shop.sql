CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, born DATE, joined DATETIME NOT NULL, active BOOLEAN NOT NULL, score REAL, code TEXT);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price DECIMAL(10,2) NOT NULL, stock INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), placed_on DATE NOT NULL, shipped_at DATETIME, status TEXT NOT NULL);
CREATE TABLE lines (order_id INTEGER NOT NULL REFERENCES orders (id), line INTEGER NOT NULL, product_id INTEGER NOT NULL REFERENCES products (id), qty INTEGER NOT NULL, price DECIMAL(10,2) NOT NULL, PRIMARY KEY (order_id, line));
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss_id INTEGER REFERENCES employees (id), dept TEXT NOT NULL, salary INTEGER NOT NULL, hired DATE NOT NULL);
INSERT INTO customers VALUES
 (1,'Ada','Paris','1990-03-01','2023-01-05 10:15:00',1,8.5,'10'), (2,'Bo','Rome',NULL,'2023-01-31 00:00:00',1,NULL,'9'),
 (3,'Cyd','Paris','1985-12-31','2023-02-14 23:59:59',0,7.25,'x1'), (4,'Dan',NULL,'2000-02-29','2023-03-01 08:00:00',1,9.75,NULL),
 (5,'Eve','Oslo','1990-03-01','2023-05-20 12:30:30',0,6.0,'007'), (6,'Fay','rome','1979-07-15','2024-01-01 00:00:01',1,8.5,'5'),
 (7,'Gus','Bern','1966-11-11','2024-02-29 18:45:10',0,NULL,'12'), (8,'Hal_X','Oslo','2001-01-01','2024-06-30 06:06:06',1,5.125,'1e2');
INSERT INTO products VALUES (1,'Pen','office',1.50,100), (2,'Ink','office',7.25,NULL), (3,'Lamp','home',40.00,5), (4,'Desk','home',199.99,0),
 (5,'Mug 50%','kitchen',6.00,33), (6,'Pan','kitchen',24.50,12), (7,'pen','toys',0.99,7);
INSERT INTO orders VALUES (1,1,'2023-01-31','2023-02-02 09:00:00','paid'), (2,1,'2023-02-15',NULL,'open'), (3,2,'2023-02-28','2023-03-01 17:30:00','paid'),
 (4,3,'2023-03-10','2023-03-10 12:00:00','paid'), (5,4,'2023-03-31',NULL,'cancelled'), (6,1,'2023-12-31','2024-01-02 00:00:00','paid'),
 (7,5,'2024-01-01','2024-01-03 15:45:20','paid'), (8,NULL,'2024-01-15',NULL,'open'), (9,6,'2024-02-29','2024-03-05 10:10:10','paid'),
 (10,6,'2024-03-01','2024-03-02 11:00:00','returned'), (11,8,'2024-07-04',NULL,'open'), (12,2,'2024-07-04','2024-07-09 08:08:08','paid');
INSERT INTO lines VALUES (1,1,1,10,1.50), (1,2,3,1,40.00), (2,1,2,2,7.25), (3,1,4,1,189.99), (3,2,1,5,1.40), (3,3,5,4,6.00), (4,1,6,1,24.50), (5,1,3,2,38.00),
 (6,1,1,100,1.20), (6,2,2,1,7.25), (7,1,5,6,5.50), (8,1,6,3,24.50), (9,1,4,2,199.99), (9,2,3,1,40.00), (10,1,6,1,20.00), (11,1,1,7,1.50), (12,1,2,3,7.00), (12,2,5,1,6.00);
INSERT INTO employees VALUES (1,'Root',NULL,'board',9000,'2010-01-01'), (2,'Ann',1,'sales',5000,'2012-06-15'), (3,'Bea',1,'tech',6000,'2013-03-31'), (4,'Col',2,'sales',4000,'2018-11-05'),
 (5,'Dee',3,'tech',5500,'2019-02-28'), (6,'Edo',3,'tech',5500,'2020-02-29'), (7,'Flo',5,'tech',3000,'2022-08-08'), (8,'Gil',4,'sales',4000,'2023-01-02');
