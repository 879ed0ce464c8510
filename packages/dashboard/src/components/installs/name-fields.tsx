import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';
import { holds, type Manifest } from '../templates/manifest.ts';
import type { InstallDraft, ThingKind } from './draft.ts';

const NOUNS: Record<ThingKind, string> = { apps: 'App', databases: 'Database', object_stores: 'Object store' };

/**
 * Renders name fields for the resources that a template installation creates. The default names come from the template.
 */
export function NameFields({
  manifest,
  draft,
  refused,
  onChange,
}: {
  manifest: Manifest;
  draft: InstallDraft;
  refused: (field: string) => string | null;
  onChange: (names: InstallDraft['names']) => void;
}) {
  const { names, inputs } = draft;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {thingsIn(manifest)
        .filter(({ when }) => holds(when, inputs))
        .map(({ kind, key, name }) => {
          const text = names[kind][key] ?? '';
          return (
            <TextField
              key={`${kind} ${key}`}
              label={`${NOUNS[kind]} ${key}`}
              mono
              autoCapitalize="none"
              placeholder={name}
              value={text}
              onChange={(event) => onChange({ ...names, [kind]: { ...names[kind], [key]: event.target.value.trim() } })}
              error={slugProblem(text) ?? refused(`names.${kind}.${key}`)}
            />
          );
        })}
    </div>
  );
}

export function thingsIn({ apps, databases, stores }: Manifest) {
  const of = (
    kind: ThingKind,
    things: readonly { key: string; name: string; when?: Manifest['apps'][number]['when'] }[],
  ) => things.map(({ key, name, when }) => ({ kind, key, name, when }));
  return [...of('apps', apps), ...of('databases', databases), ...of('object_stores', stores)];
}
