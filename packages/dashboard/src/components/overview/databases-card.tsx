import type { Database } from '@davit/api';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DatabaseTable } from '../databases/database-table.tsx';

export function DatabasesCard({ databases }: { databases: readonly Database[] }) {
  return (
    <Card title="Databases" actions={<ButtonLink to={paths.backups()}>Backups</ButtonLink>}>
      <DatabaseTable databases={databases} empty={null} />
    </Card>
  );
}
