import type { Task } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { taskWords } from './task-words.ts';

/**
 * Renders the button that cancels a background task. A dialog asks for confirmation, because the server undoes the
 * completed steps of a canceled task.
 */
export function CancelTask({ task: { id, kind, subject } }: { task: Task }) {
  const [isConfirming, setConfirming] = useState(false);
  const forbidden = useForbidden('operate');
  const cancel = useCall('cancelTask', { changes: ['getTask', 'listTasks'], onDone: () => setConfirming(false) });
  return (
    <>
      <Button disabledBecause={forbidden} onClick={() => setConfirming(true)}>
        Cancel task…
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Cancel “${taskWords(kind)}”?`}
        action="Cancel task"
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ params: { task: String(id) } })}
      >
        <p>
          Davit undoes the completed steps of this task on{' '}
          <span className="font-mono text-[0.8125rem]">{subject.name}</span>, starting with the last step.
        </p>
      </ConfirmDialog>
    </>
  );
}
