import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { slugProblem } from '../../util/slug.ts';
import { nameProblem } from './created-problem.ts';
import { NameField } from './name-field.tsx';

export function NewEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const [slug, setSlug] = useState('');
  const navigate = useNavigate();
  const forbidden = useForbidden('operate');
  const create = useCall('createEnvironment', {
    changes: ['listEnvironments', 'getProject', 'listProjects'],
    onDone: (made) => void navigate({ to: paths.environment({ project, environment: made.slug }) }),
  });
  const refused = nameProblem(create.error, 'slug');
  const submit = () => {
    if (slug !== '' && slugProblem(slug) === null) create.mutate({ params: { project }, body: { slug } });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`New environment in ${project}`}
      description="A place where the project’s apps run once more, with a network and variables of its own, such as «staging»."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (forbidden === null && !create.isPending) submit();
        }}
      >
        <NameField
          name={slug}
          onChange={(next) => {
            setSlug(next);
            create.reset();
          }}
          refused={refused}
          hint="Lower-case letters, digits and inner hyphens. It is part of host names and cannot be changed."
        />
        {create.error && refused === null && <Problem className="mt-4" error={create.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending} disabledBecause={forbidden}>
            Make the environment
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
