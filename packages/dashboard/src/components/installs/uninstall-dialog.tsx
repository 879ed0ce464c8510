import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { CHANGES, type DeedProps } from './rollback-install.tsx';
import { whyNotNow } from './status.ts';

/**
 * Renders the dialog that uninstalls a template and removes its resources. By default, databases and object stores
 * remain with their data.
 */
export function UninstallDialog({ install, onBegun, onClose }: DeedProps) {
  const { id, title, project, environment, resources } = install;
  const [keepData, setKeepData] = useState(true);
  const [text, setText] = useState('');
  const name = `${project}/${environment}`;
  const remove = useCall('uninstallTemplate', { changes: CHANGES, onDone: (task) => onBegun(task.id) });
  const made = resources.filter(({ state }) => state === 'made' || state === 'adopted');
  const data = made
    .filter(({ kind }) => kind === 'database' || kind === 'object_store')
    .map(({ reference }) => reference);
  const apps = made.filter(({ kind }) => kind === 'app').map(({ reference }) => reference);
  const untyped = text === name ? null : `Type “${name}” first.`;
  return (
    <FormDialog
      title={`Uninstall ${title}?`}
      action={keepData ? 'Uninstall' : 'Uninstall with data'}
      kind="danger"
      busy={remove.isPending}
      disabledBecause={whyNotNow(install).uninstall ?? untyped}
      error={remove.error}
      onEdit={remove.reset}
      fields={['confirm']}
      onSubmit={() =>
        remove.mutate({
          params: { install: String(id) },
          body: { keep_data: keepData, ...(!keepData && { confirm: text }) },
        })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 text-sm">
        <p>
          {apps.length > 0
            ? `This permanently deletes ${apps.join(', ')}, with settings, deployments and logs.`
            : 'All apps of this installation were already deleted.'}{' '}
          Davit also deletes the environment and the project if they are empty and the installation created them.
        </p>
        {data.length > 0 && <p>Data: {data.join(', ')}, and the volumes of the apps.</p>}
      </div>
      <CheckField
        label="Keep data"
        hint={
          keepData
            ? 'Databases and volumes are kept. A new installation can use them.'
            : 'Databases and volumes move to the trash. You can restore them until Davit deletes them permanently.'
        }
        checked={keepData}
        onChange={(event) => setKeepData(event.target.checked)}
      />
      <TextField
        label={`Type “${name}” to confirm`}
        mono
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={errorFor(remove.error, 'confirm')}
      />
    </FormDialog>
  );
}
