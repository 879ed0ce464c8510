import { bytes, whyDiskUseUnknown } from '@davit/api';
import { useAnswer } from '../../api.ts';
import type { ProjectPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useSearchText } from '../../util/params.ts';
import { useNotForAll } from '../admin/not-for-all.ts';
import { QUOTA_FIELDS } from './quota-draft.ts';
import { QuotaForm } from './quota-form.tsx';

/**
 * Shows the limits of a project's resources and the current usage. Only admins with access to all projects can change
 * the limits.
 */
export function QuotaCard({ path }: { path: ProjectPath }) {
  const quota = useAnswer('getProjectQuota', { params: path });
  const forbidden = useNotForAll('change a quota');
  const [editing, setEditing] = useSearchText('edit-quota');
  return (
    <Card
      title="Quota"
      description="Limits of the project and the current usage."
      actions={
        <Button disabledBecause={forbidden} onClick={() => setEditing('1')}>
          Edit quota…
        </Button>
      }
    >
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-soft">
          <tr>
            <th className="py-1 font-medium">Resource</th>
            <th className="py-1 pl-3 font-medium">In use</th>
            <th className="py-1 pl-3 font-medium">Limit</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {QUOTA_FIELDS.map(({ label, resource, isBytes }) => (
            <tr key={resource}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {label}
              </th>
              <td className="py-1.5 pl-3 tabular-nums first-letter:uppercase">
                {shown(quota.used[resource], isBytes) ?? whyDiskUseUnknown(quota)}
              </td>
              <td className="py-1.5 pl-3 whitespace-nowrap tabular-nums">
                {shown(quota[resource], isBytes) ?? 'No limit'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {editing !== null && forbidden === null && (
        <QuotaForm path={path} quota={quota} onClose={() => setEditing(null)} />
      )}
    </Card>
  );
}

function shown(amount: number | null, isBytes = false): string | null {
  if (amount === null) return null;
  return isBytes ? bytes(amount) : String(amount);
}
