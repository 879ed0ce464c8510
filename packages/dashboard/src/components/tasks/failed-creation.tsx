import type { Task } from '@davit/api';
import { type ReactNode, Suspense, useState } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Page } from '../../layout/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Status } from '../../ui/status.tsx';
import { TaskSteps } from './task-steps.tsx';
import { taskWords } from './task-words.ts';

/**
 * Renders the page of a resource whose creation failed. The page shows the reason, and a button that opens the form for
 * a new creation.
 * @param creation failed task, or `open` while Davit creates the resource
 * @param form renders the form with the values of the failed creation, if these values are known
 */
export function FailedCreation({
  name,
  creation,
  form,
}: {
  name: string;
  creation: Task | 'open';
  form: (onClose: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const forbidden = useForbidden('administer');
  if (creation === 'open') {
    return (
      <Page title={name}>
        <Spinner label="Loading" />
      </Page>
    );
  }
  return (
    <Page
      title={name}
      lead={<Status of="failed" />}
      actions={
        <Button kind="primary" disabledBecause={forbidden} onClick={() => setOpen(true)}>
          Retry…
        </Button>
      }
    >
      <Notice tone="error">The creation failed, and Davit has removed everything that it had created.</Notice>
      <TaskSteps task={creation} title={taskWords(creation.kind)} />
      <Suspense>{isOpen && form(() => setOpen(false))}</Suspense>
    </Page>
  );
}
