/** Statements that fill a database with content that a dump or a restore easily loses. */

/**
 * Statements for Davit's own login in the database `main`. Names contain quotes, dollar signs, tabs, line breaks and
 * other scripts.
 */
export const ODD_POSTGRES = String.raw`
CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS hstore;
SET ROLE davit_owner;
CREATE SCHEMA "Odd ""schema"" $x"; CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE TABLE "Odd ""schema"" $x"."tab	le ü 'q' $1" ("col ""x""" text, "d$" mood, p posint, e citext);
INSERT INTO "Odd ""schema"" $x"."tab	le ü 'q' $1" VALUES (E'a\\.\n\t''"', 'sad', 4, 'X'), (NULL, NULL, NULL, '\N');
CREATE TABLE "line
break" (a int); INSERT INTO "line
break" VALUES (1);
CREATE TABLE nothing (); INSERT INTO nothing DEFAULT VALUES;
CREATE TABLE gen (id int GENERATED ALWAYS AS IDENTITY (START 7), w float8, dbl float8 GENERATED ALWAYS AS (w * 2) STORED,
  b bytea, h hstore);
INSERT INTO gen (w, b, h) SELECT i / 3.0, decode('00ff0a5c', 'hex'), 'a=>1' FROM generate_series(1, 200) i;
CREATE TABLE ca (id int PRIMARY KEY, cb int);
CREATE TABLE cb (id int PRIMARY KEY, ca int REFERENCES ca DEFERRABLE INITIALLY DEFERRED);
ALTER TABLE ca ADD FOREIGN KEY (cb) REFERENCES cb DEFERRABLE INITIALLY DEFERRED;
BEGIN; INSERT INTO ca VALUES (1, 1); INSERT INTO cb VALUES (1, 1); COMMIT;
CREATE SEQUENCE "seq'$"; SELECT setval('"seq''$"', 4242);
CREATE TABLE part (d date, v int) PARTITION BY RANGE (d); CREATE TABLE part_b PARTITION OF part DEFAULT;
CREATE TABLE part_a PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
INSERT INTO part VALUES ('2020-05-05', 1), ('2025-05-05', 2);
CREATE TABLE parent (a int); CREATE TABLE child (b int) INHERITS (parent); INSERT INTO child VALUES (1, 2), (3, 4);
CREATE MATERIALIZED VIEW mat AS SELECT count(*) c FROM gen; CREATE VIEW vw AS SELECT * FROM gen WHERE w > 3;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN NEW.v := NEW.v + 1; RETURN NEW; END $f$;
CREATE TRIGGER t BEFORE INSERT ON part_a FOR EACH ROW EXECUTE FUNCTION f();
COMMENT ON TABLE gen IS 'it''s \ ; -- odd'; ALTER TABLE gen ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON gen USING (w > 1);
CREATE TABLE guarded (a int); INSERT INTO guarded VALUES (1), (2); CREATE POLICY p ON guarded USING (true);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; ALTER TABLE guarded FORCE ROW LEVEL SECURITY;
CREATE MATERIALIZED VIEW "line
break 'mat'" AS SELECT count(*) FROM guarded;
CREATE FUNCTION guards() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM guarded';
CREATE MATERIALIZED VIEW by_path AS SELECT guards(); CREATE UNIQUE INDEX ON by_path (guards);
CREATE MATERIALIZED VIEW unfilled AS SELECT 1 AS a WITH NO DATA;
RESET ROLE;
CREATE ROLE "report er" NOLOGIN; CREATE ROLE sub NOLOGIN; GRANT "report er" TO sub; GRANT SELECT ON gen TO "report er";
CREATE SCHEMA theirs AUTHORIZATION sub; CREATE TABLE theirs.t (a int); ALTER TABLE theirs.t OWNER TO sub;
ALTER DEFAULT PRIVILEGES FOR ROLE davit_owner GRANT SELECT ON TABLES TO "report er";
SET ROLE davit_owner; CREATE PUBLICATION pub FOR TABLE ca; RESET ROLE;
ALTER DATABASE main SET search_path TO "$user", public, theirs; ALTER DATABASE main SET timezone TO 'Asia/Tokyo';
COMMENT ON DATABASE main IS 'mine';
`;

/** Statements for Davit's own login. */
export const ODD_MARIADB = String.raw`ALTER DATABASE main CHARACTER SET latin1 COLLATE latin1_german1_ci;
CREATE TABLE ${'`odd ``na'}'me\ ü $1 "q"${'`'} (${'`co l`'} VARCHAR(50) COMMENT 'it''s\n;', e ENUM('a','b'), j JSON, g GEOMETRY)
  CHARSET utf8mb4;
INSERT INTO ${'`odd ``na'}'me\ ü $1 "q"${'`'} VALUES ('it''s ),(\\', 'a', '{"x":"),("}', ST_GeomFromText('POINT(1 2)')),
  ('😀\n', NULL, NULL, NULL);
CREATE TABLE ${'`line\nbreak`'} (a INT); INSERT INTO ${'`line\nbreak`'} VALUES (1);
CREATE TABLE gen (id INT AUTO_INCREMENT PRIMARY KEY, w DOUBLE, dbl DOUBLE AS (w * 2) STORED, v INT AS (id % 3) VIRTUAL, b BLOB);
INSERT INTO gen (w, b) SELECT seq / 3, UNHEX('00ff275c') FROM seq_1_to_500;
CREATE TABLE ca (id INT PRIMARY KEY, cb INT); CREATE TABLE cb (id INT PRIMARY KEY, ca INT REFERENCES ca(id));
ALTER TABLE ca ADD FOREIGN KEY (cb) REFERENCES cb(id);
SET foreign_key_checks = 0; INSERT INTO ca VALUES (1, 1); INSERT INTO cb VALUES (1, 1); SET foreign_key_checks = 1;
CREATE TABLE isam (a INT) ENGINE=MyISAM; INSERT INTO isam VALUES (1), (2);
CREATE TABLE merged (a INT) ENGINE=MERGE UNION=(isam);
CREATE TABLE hist (a INT) WITH SYSTEM VERSIONING; INSERT INTO hist VALUES (1); UPDATE hist SET a = 2; DELETE FROM hist;
CREATE SEQUENCE sq START WITH 42; CREATE TABLE nothing (a INT);
CREATE TABLE large (b LONGBLOB, t LONGTEXT);
INSERT INTO large VALUES (REPEAT('x', 9000000), NULL), (NULL, REPEAT('''', 9000000));
`;

/** Statements for the login of an app, with whose rights the created programs run. */
export const ODD_PROGRAMS = `CREATE VIEW cheap AS SELECT * FROM gen WHERE id < 10; CREATE VIEW counted AS SELECT COUNT(*) c FROM cheap;
CREATE TRIGGER more BEFORE INSERT ON gen FOR EACH ROW SET NEW.w = NEW.w + 1;
DELIMITER //
CREATE PROCEDURE add_one() BEGIN
INSERT INTO \`gen\` (w) VALUES (1);
END //
CREATE FUNCTION twice(a INT) RETURNS INT DETERMINISTIC RETURN a * 2 //
CREATE EVENT tidy ON SCHEDULE EVERY 1 DAY DO DELETE FROM nothing //
DELIMITER ;
`;
