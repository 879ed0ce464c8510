/** Creates PostgreSQL extensions as superuser in such a way that no code of an app runs during the creation. */
import { randomBytes } from 'node:crypto';
import { OBJECTS_OF_APPS } from './postgres-owners.ts';
import { postgresLiteral } from './postgres-session.ts';

/**
 * Returns SQL statements that create extensions without running code of apps.
 *
 * The script of an extension runs as superuser. The script searches names in its own schema and in the schemas of
 * required extensions. Apps may create objects in these schemas, and the script would use these objects. So Davit
 * creates each extension in a new, separate schema. Davit first moves the required extensions to this schema. At the
 * end, Davit moves all extensions back. An extension that cannot be moved is created in `pg_catalog` or not at all.
 *
 * An app can own a required extension, add its own objects to the extension, and create extensions at the same time:
 * - Other sessions cannot see the new schema or create objects in it. Only the first move of an extension brings
 *   existing objects into the schema. Davit checks these objects before any script runs.
 * - The table `plan` does not contain extensions that an app creates later. `CREATE EXTENSION` fails if the name
 *   exists.
 * - A second check rejects objects that an app added during the creation. These objects are in another schema, so no
 *   script can use them.
 */
export function extensionStatements(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const own = `davit_${randomBytes(8).toString('hex')}`;
  return [
    'BEGIN;',
    `CREATE SCHEMA ${own};`,
    /*
     * The table `plan` contains the extensions that must be created and the extensions that they require. For an
     * existing extension, `home` is its current schema.
     */
    `CREATE TEMP TABLE pg_temp.plan ON COMMIT DROP AS
      WITH RECURSIVE needs (name, path) AS (
        SELECT name, ARRAY[name] FROM unnest(ARRAY[${names.map(postgresLiteral).join(', ')}]::name[]) name
          WHERE name NOT IN (SELECT extname FROM pg_extension)
        UNION SELECT r, path || r FROM needs n JOIN pg_available_extension_versions v ON v.name = n.name, unnest(v.requires) r
          WHERE r <> ALL (path) AND n.name NOT IN (SELECT extname FROM pg_extension))
      SELECT n.name, max(cardinality(path)) AS depth, e.extnamespace::regnamespace::text AS home, e.extrelocatable AS movable
        FROM needs n LEFT JOIN pg_extension e ON e.extname = n.name GROUP BY n.name, e.oid, e.extnamespace, e.extrelocatable;`,
    `SELECT format('ALTER EXTENSION %I SET SCHEMA ${own}', name) FROM pg_temp.plan WHERE movable\\gexec`,
    demandOnlyOurs(own),
    `SELECT format('CREATE EXTENSION %I WITH SCHEMA %I', p.name, CASE v.schema WHEN 'pg_catalog' THEN v.schema ELSE '${own}' END)
      FROM pg_temp.plan p LEFT JOIN pg_available_extensions a ON a.name = p.name
        LEFT JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
      WHERE home IS NULL ORDER BY depth DESC, p.name\\gexec`,
    demandOnlyOurs(own),
    `SELECT format('ALTER EXTENSION %I SET SCHEMA %s', extname, coalesce(home, 'public'))
      FROM pg_extension LEFT JOIN pg_temp.plan ON name = extname WHERE extnamespace = '${own}'::regnamespace\\gexec`,
    `DROP SCHEMA ${own};`,
    'COMMIT;',
  ];
}

/**
 * Returns an SQL statement that fails if code of an app could run while Davit creates extensions. This is possible if
 * an app owns objects of the extensions or of the new schema. It is also possible if a required extension is in the
 * schema of an app.
 *
 * An app may be the owner of an extension, because the administrator owns the objects of the extension.
 */
function demandOnlyOurs(schema: string): string {
  const planned = 'SELECT e.oid FROM pg_extension e JOIN pg_temp.plan p ON p.name = e.extname';
  return `\\set SHOW_CONTEXT never
    DO $demand$ DECLARE others text; BEGIN
      SELECT string_agg(DISTINCT format('%s (%s)', e.extname, e.extnamespace::regnamespace), ', ') INTO others
        FROM pg_extension e WHERE e.oid IN (${planned}) AND e.extnamespace NOT IN ('${schema}'::regnamespace, 'pg_catalog'::regnamespace);
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('Required extensions are in a schema that apps can change: %s. Add the extension again; if the error stays, drop the listed extensions first.', others);
      END IF;
      SELECT string_agg(DISTINCT replace(pg_describe_object(o.classid, o.objid, 0), '${schema}.', ''), ', ') INTO others
        FROM (${OBJECTS_OF_APPS}) o JOIN pg_depend d ON d.classid = o.classid AND d.objid = o.objid
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = '${schema}'::regnamespace
          OR d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid IN (${planned});
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('A required extension contains objects that the administrator does not own: %s. Remove the objects with ALTER EXTENSION … DROP, or drop that extension and create it again. Then add the extension again.', others);
      END IF;
    END $demand$;`;
}
