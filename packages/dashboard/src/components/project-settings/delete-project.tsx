import type { ProjectDeletion } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { type ProjectPath, paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { errorFor } from '../../util/field-error.ts';
import { DeletionList } from './deletion-list.tsx';
import { useDeletionPreview } from './deletion-preview.ts';

/**
 * Renders the dialog that deletes a project with its contents. After the confirmation, the page of the deletion task
 * shows the progress.
 */
export function DeleteProject({ path, onClose }: { path: ProjectPath; onClose: () => void }) {
  const { project } = path;
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const remove = useCall('deleteProjectWithContents', {
    changes: ['listTasks'],
    onDone: ({ id }) => void navigate({ to: paths.task({ task: id }), ignoreBlocker: true }),
  });
  const preview = useDeletionPreview(path, remove);
  const { data: deletion, error } = preview;
  const send = () => {
    const body = { confirm: text, checksum: deletion?.checksum ?? '' };
    /*
     * If the contents of the project have changed since the preview, the server refuses the deletion. The dialog then
     * shows the new contents.
     */
    remove.mutate({ params: path, body }, { onError: () => void preview.refetch() });
  };
  return (
    <FormDialog
      wide
      title={`Delete project ${project}?`}
      action="Delete project"
      kind="danger"
      busy={remove.isPending}
      disabledBecause={whyNot(deletion, text, project)}
      error={remove.error}
      onEdit={remove.reset}
      fields={['confirm']}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 text-sm">
        {error !== null && <Problem error={error} />}
        {deletion === undefined && error === null && <Spinner label="Loading the contents" />}
        {deletion?.problems.map((problem) => (
          <Notice key={problem} tone="error">
            {problem}
          </Notice>
        ))}
        {deletion && <DeletionList deletion={deletion} />}
      </div>
      <TextField
        label={`Type “${project}” to confirm`}
        mono
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={errorFor(remove.error, 'confirm')}
        autoFocus
      />
    </FormDialog>
  );
}

function whyNot(deletion: ProjectDeletion | undefined, text: string, project: string): string | null {
  if (deletion === undefined) return 'Wait until the contents of the project are loaded.';
  if (deletion.problems.length > 0) return 'The project cannot be deleted now.';
  return text === project ? null : `Type “${project}” first.`;
}
