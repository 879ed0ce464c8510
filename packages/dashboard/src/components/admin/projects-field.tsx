import { useAnswer } from '../../api.ts';
import { CheckField, FieldError } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio.tsx';

/**
 * Renders a field to choose all projects or a list of projects. The value is `null` for all projects, or a list of
 * project names.
 */
export function ProjectsField({
  projects,
  onChange,
  all,
  error,
}: {
  projects: readonly string[] | null;
  onChange: (projects: string[] | null) => void;
  /**
   * Label and hint of the option `All projects`. `disabledBecause` is the reason why the option is disabled, or `null`
   * if it is enabled.
   */
  all: { label: string; hint: string; disabledBecause: string | null };
  error?: string | null;
}) {
  const known = useAnswer('listProjects');
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup
        label="Projects"
        choices={[
          { value: 'all', ...all },
          { value: 'some', label: 'Selected projects' },
        ]}
        value={projects === null ? 'all' : 'some'}
        onChange={(which) => onChange(which === 'all' ? null : [])}
      />
      {projects !== null && (
        <ProjectChecks slugs={known.map(({ slug }) => slug)} chosen={projects} onChange={onChange} />
      )}
      <FieldError error={error} />
    </div>
  );
}

function ProjectChecks({
  slugs,
  chosen,
  onChange,
}: {
  slugs: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  if (slugs.length === 0) return <p className="ml-6 text-sm text-soft">No projects yet.</p>;
  return (
    <fieldset
      aria-label="Selected projects"
      className="ml-6 grid max-h-48 grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2 overflow-y-auto rounded-md border border-line p-3"
    >
      {slugs.map((slug) => (
        <CheckField
          key={slug}
          label={<span className="font-mono text-[0.8125rem] break-all">{slug}</span>}
          checked={chosen.includes(slug)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, slug] : chosen.filter((other) => other !== slug))
          }
        />
      ))}
    </fieldset>
  );
}
