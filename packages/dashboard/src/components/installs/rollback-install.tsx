import type { TemplateInstall } from '@davit/api';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { whyNotNow } from './status.ts';

export interface DeedProps {
  install: TemplateInstall;
  /**
   * Called when the task has started.
   * @param task id of the task
   */
  onBegun: (task: number) => void;
  onClose: () => void;
}

export const CHANGES = ['getTemplateInstall', 'listTemplateInstalls', 'listTasks'] as const;

/** Renders the dialog that rolls an installation back to the previous release with its former inputs. */
export function RollbackInstall({ install, onBegun, onClose }: DeedProps) {
  const { id, title, previous_release, origin } = install;
  const roll = useCall('rollbackTemplateInstall', { changes: CHANGES, onDone: (task) => onBegun(task.id) });
  return (
    <FormDialog
      title={`Roll ${title} back?`}
      description={`${origin.release ?? 'The release'} becomes ${previous_release ?? 'the one before'}, with the answers that it had. Data stays as it is.`}
      action="Roll back"
      busy={roll.isPending}
      disabledBecause={whyNotNow(install).rollback}
      error={roll.error}
      onSubmit={() => roll.mutate({ params: { install: String(id) } })}
      onClose={onClose}
    >
      <p className="text-sm">
        Apps are deployed as that release has them, without losing a request. What the newer release has written into a
        database may be more than the older one knows: back it up first.
      </p>
    </FormDialog>
  );
}
