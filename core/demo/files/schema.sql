CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES categories (id)
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  category_id INTEGER NOT NULL REFERENCES categories (id),
  name TEXT NOT NULL,
  price DECIMAL(10,2) NOT NULL,
  cost DECIMAL(10,2) NOT NULL,
  "원산지" TEXT,
  introduced_on DATE NOT NULL,
  discontinued BOOLEAN NOT NULL
);
CREATE TABLE stores (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  opened_on DATE NOT NULL,
  closed_on DATE
);
CREATE TABLE employees (
  id INTEGER PRIMARY KEY,
  store_id INTEGER NOT NULL REFERENCES stores (id),
  manager_id INTEGER REFERENCES employees (id),
  name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  hired_on DATE NOT NULL,
  left_on DATE,
  salary DECIMAL(10,2) NOT NULL
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  country TEXT NOT NULL,
  birth_date DATE,
  joined_at TIMESTAMP NOT NULL,
  newsletter BOOLEAN NOT NULL
);
CREATE TABLE addresses (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  kind TEXT NOT NULL,
  street TEXT NOT NULL,
  city TEXT NOT NULL,
  postal_code TEXT NOT NULL
);
CREATE TABLE "order" (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  store_id INTEGER REFERENCES stores (id),
  address_id INTEGER REFERENCES addresses (id),
  status TEXT NOT NULL,
  ordered_at TIMESTAMP NOT NULL,
  shipped_on DATE
);
CREATE TABLE order_lines (
  order_id INTEGER NOT NULL REFERENCES "order" (id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  quantity INTEGER NOT NULL,
  unit_price DECIMAL(10,2) NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES "order" (id),
  method TEXT NOT NULL,
  amount DECIMAL(10,2) NOT NULL,
  paid_at INTEGER NOT NULL
);
CREATE TABLE returns (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  reason TEXT,
  returned_on DATE NOT NULL,
  refund DECIMAL(10,2) NOT NULL,
  FOREIGN KEY (order_id, line_no) REFERENCES order_lines
);
CREATE INDEX products_by_category ON products (category_id);
CREATE INDEX addresses_by_customer ON addresses (customer_id);
CREATE INDEX order_by_customer ON "order" (customer_id);
CREATE INDEX order_by_store ON "order" (store_id);
CREATE INDEX order_by_time ON "order" (ordered_at);
CREATE INDEX order_lines_by_product ON order_lines (product_id);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE UNIQUE INDEX returns_by_line ON returns (order_id, line_no);
