import type { App, ProjectDeletion } from '@davit/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { DeletionList } from '../project-settings/deletion-list.tsx';
import { useDeletionPreview } from '../project-settings/deletion-preview.ts';
import { isOnlyFor } from './example-app.ts';

type Preview = Pick<UseQueryResult<ProjectDeletion>, 'data' | 'error'>;

/** Explains what a new user can try with the example app. Also renders a button that removes the example app. */
export function ExampleCard({ app }: { app: App }) {
  const forbidden = useForbidden('operate');
  const [removing, setRemoving] = useSearchText('remove-example');
  const path = appPath(app.reference);
  return (
    <Card
      title="Example app"
      description={`The first start of Davit deployed ${app.reference}. Use it to try Davit, and remove it when you no longer need it.`}
      actions={
        <Button disabledBecause={forbidden} onClick={() => setRemoving('1')}>
          Remove the example app…
        </Button>
      }
    >
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.app(path)}>Open the app’s page</ButtonLink>
        <ButtonLink to={paths.appLogs(path)}>Logs</ButtonLink>
        <ButtonLink to={paths.appTerminal(path)}>Terminal</ButtonLink>
      </div>
      {removing !== null && forbidden === null && <RemoveExample app={app} onClose={() => setRemoving(null)} />}
    </Card>
  );
}

/**
 * Renders the dialog that removes the example app. If the project contains nothing else and the user is an admin, the
 * project is deleted too.
 */
function RemoveExample({ app, onClose }: { app: App; onClose: () => void }) {
  const { reference, project } = app;
  const onlyAdmins = useForbidden('administer');
  const path = { project };
  const done = (text: string) => () => {
    say(text);
    onClose();
  };
  const deleteApp = useCall('deleteApp', {
    changes: ['listApps', 'listVolumes'],
    onDone: done(`Deleted ${reference}.`),
  });
  const deleteProject = useCall('deleteProjectWithContents', {
    changes: ['listTasks'],
    onDone: done(`Deleting ${reference} and the project ${project}.`),
  });
  const preview = useDeletionPreview(path, deleteProject, onlyAdmins === null);
  const deletion = preview.data;
  const whole = deletion !== undefined && isOnlyFor(deletion, reference) ? deletion : null;
  const send = () => {
    if (whole === null) deleteApp.mutate({ params: appPath(reference) });
    else {
      const body = { confirm: project, checksum: whole.checksum };
      /*
       * If the project has changed since the preview, the server refuses the deletion. Therefore, load the preview
       * again.
       */
      deleteProject.mutate({ params: path, body }, { onError: () => void preview.refetch() });
    }
  };
  return (
    <FormDialog
      title="Remove the example app?"
      action="Remove the example app"
      kind="danger"
      busy={deleteApp.isPending || deleteProject.isPending}
      disabledBecause={onlyAdmins === null ? whyNotYet(preview, whole) : null}
      error={deleteApp.error ?? deleteProject.error}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 text-sm">
        {preview.error && <Problem error={preview.error} />}
        {preview.isLoading && <Spinner label="Loading the contents of the project" />}
        {whole?.problems.map((problem) => (
          <Notice key={problem} tone="error">
            {problem}
          </Notice>
        ))}
        {whole && <DeletionList deletion={whole} />}
        {whole === null && (onlyAdmins !== null || deletion) && <OnlyApp app={app} isAdmin={onlyAdmins === null} />}
        <p>The next start of Davit does not deploy the example app again.</p>
      </div>
    </FormDialog>
  );
}

function whyNotYet({ data, error }: Preview, whole: ProjectDeletion | null): string | null {
  if (data === undefined && error) return 'Cannot load the contents of the project. See the error above.';
  if (data === undefined) return 'Wait until the contents of the project are loaded.';
  return whole !== null && whole.problems.length > 0 ? 'The project cannot be deleted now.' : null;
}

function OnlyApp({ app: { reference, project, volumes }, isAdmin }: { app: App; isAdmin: boolean }) {
  return (
    <>
      <p>
        This permanently deletes the app {reference} with its settings, variables, deployments and logs.
        {volumes.length > 0 && ' Its volumes are kept.'}
      </p>
      <p>
        The project {project} stays,{' '}
        {isAdmin ? 'because it contains other resources or settings.' : 'because only admins can delete a project.'}
      </p>
    </>
  );
}
