import type { Database } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import type { EnvironmentPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useSearchText } from '../../util/params.ts';
import { DatabaseTable } from './database-table.tsx';

export function EnvironmentDatabases({ project, environment }: EnvironmentPath) {
  const databases = useAnswer('listDatabases').filter((one) => isIn(one, project, environment));
  const [, open] = useSearchText('new');
  const forbidden = useForbidden('administer');
  return (
    <Card
      title="Databases"
      actions={
        <Button disabledBecause={forbidden} onClick={() => open('database')}>
          New database…
        </Button>
      }
    >
      <DatabaseTable
        isHere
        databases={databases}
        empty={
          <p className="text-sm text-soft">
            No databases yet. Only apps in {environment} can reach a database of this environment.
          </p>
        }
      />
    </Card>
  );
}

function isIn(database: Database, project: string, environment: string): boolean {
  return database.project === project && database.environment === environment;
}
