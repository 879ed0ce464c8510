import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { CHANGES, type DeedProps } from './rollback-install.tsx';
import { whyNotNow } from './status.ts';

/** Renders the dialog that removes the resources of an installation. By default, its data stays. */
export function UninstallDialog({ install, onBegun, onClose }: DeedProps) {
  const { id, title, project, environment, resources } = install;
  const [keepData, setKeepData] = useState(true);
  const [text, setText] = useState('');
  const name = `${project}/${environment}`;
  const remove = useCall('uninstallTemplate', { changes: CHANGES, onDone: (task) => onBegun(task.id) });
  const made = resources.filter(({ state }) => state === 'made' || state === 'adopted');
  const data = made.filter(({ kind }) => kind === 'database' || kind === 'store').map(({ reference }) => reference);
  const apps = made.filter(({ kind }) => kind === 'app').map(({ reference }) => reference);
  const untyped = text === name ? null : `Type “${name}” first.`;
  return (
    <FormDialog
      title={`Uninstall ${title}?`}
      action={keepData ? 'Uninstall' : 'Uninstall with its data'}
      kind="danger"
      busy={remove.isPending}
      disabledBecause={whyNotNow(install).uninstall ?? untyped}
      error={remove.error}
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
            ? `Removed: ${apps.join(', ')}, with settings, deployments and logs.`
            : 'No app of it is left.'}{' '}
          The environment and the project go too, where it made them and nothing else is in them.
        </p>
        {data.length > 0 && <p>Its data: {data.join(', ')}, and the volumes of its apps.</p>}
      </div>
      <CheckField
        label="Keep its data"
        hint={
          keepData
            ? 'Databases and volumes stay, and a later install can take them up.'
            : 'Databases and volumes go to the trash, from where they can be brought back for some days.'
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
