import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../ui/dialog.tsx';
import { slugProblem } from '../../util/slug.ts';
import { nameProblem } from './created-problem.ts';
import { NameField } from './name-field.tsx';

/** Renders a dialog in which the user enters the name of a new resource. */
export function NameForm({
  title,
  description,
  action,
  forbidden,
  create,
  onName,
  onClose,
}: {
  title: string;
  description: ReactNode;
  action: string;
  /** Reason why the user may not create the resource. `null` if the user may create it. */
  forbidden: string | null;
  create: { isPending: boolean; error: Error | null; reset: () => void };
  onName: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const refused = nameProblem(create.error, 'slug');
  return (
    <FormDialog
      title={title}
      description={description}
      action={action}
      busy={create.isPending}
      disabledBecause={forbidden}
      error={create.error}
      isErrorShown={refused !== null}
      onSubmit={() => name !== '' && slugProblem(name) === null && onName(name)}
      onClose={onClose}
    >
      <NameField
        name={name}
        onChange={(next) => {
          setName(next);
          create.reset();
        }}
        refused={refused}
      />
    </FormDialog>
  );
}
