import type { App } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { query } from '../../api.ts';
import { TextField } from '../../ui/field.tsx';
import { useAppPath } from '../../util/params.ts';

export interface ChoiceProps {
  app: App;
  tag: string;
  onChoose: (tag: string) => void;
}

/** Renders a field for an image tag of an external registry. Tags of earlier deployments are suggestions. */
export function TagChoice({ app, tag, onChoose }: ChoiceProps) {
  const id = useId();
  const deployments = useQuery(query('listDeployments', { params: useAppPath() }));
  const known = [...new Set((deployments.data ?? []).map((one) => one.tag))];
  return (
    <>
      <TextField
        label="Tag"
        mono
        autoFocus
        list={id}
        value={tag}
        onChange={({ target }) => onChoose(target.value)}
        hint={hintOf(app)}
      />
      <datalist id={id}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

function hintOf({ image, tag, live_tag: live }: App): string {
  const pinned = tag === null ? '' : ` The app is pinned to ${tag}.`;
  return `Tag of ${image}.${live === null ? ' No release is live yet.' : ` Live tag: ${live}.`}${pinned}`;
}
