import type { TemplateInstall } from '@davit/api';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { whyNotNow } from './status.ts';

export interface DeedProps {
  install: TemplateInstall;
  /**
   * Called after the rollback task has started.
   * @param task id of the started task
   */
  onBegun: (task: number) => void;
  onClose: () => void;
}

export const CHANGES = ['getTemplateInstall', 'listTemplateInstalls', 'listTasks'] as const;

/**
 * Renders the dialog that rolls an installed template back to its previous release. The rollback also restores the
 * inputs of that release.
 */
export function RollbackInstall({ install, onBegun, onClose }: DeedProps) {
  const { id, title, previous_release, origin } = install;
  const roll = useCall('rollbackTemplateInstall', { changes: CHANGES, onDone: (task) => onBegun(task.id) });
  return (
    <FormDialog
      title={`Roll back ${title}?`}
      description={`Rolls back the installation from ${origin.release ?? 'the current release'} to ${previous_release ?? 'the previous release'}, with the inputs of that release. Data does not change.`}
      action="Roll back"
      busy={roll.isPending}
      disabledBecause={whyNotNow(install).rollback}
      error={roll.error}
      onSubmit={() => roll.mutate({ params: { install: String(id) } })}
      onClose={onClose}
    >
      <p className="text-sm">
        Davit deploys the apps of the previous release. No requests are lost. The older release may not understand data
        of the newer release, so back up the databases first.
      </p>
    </FormDialog>
  );
}
