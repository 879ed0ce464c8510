import { useId } from 'react';
import { useAnswer } from '../../api.ts';
import { TextField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';

export interface TargetEnvironment {
  project: string;
  environment: string;
}

/**
 * Renders the fields for the project and the environment of a template installation. If the project or the environment
 * does not exist, the installation creates it.
 */
export function TargetFields({
  place: { project, environment },
  refused,
  onChange,
}: {
  place: TargetEnvironment;
  refused: (field: string) => string | null;
  onChange: (part: Partial<TargetEnvironment>) => void;
}) {
  const projects = useAnswer('listProjects');
  const known = projects.find(({ slug }) => slug === project);
  const isThere = known?.environments.includes(environment) ?? false;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Suggesting
        label="Project"
        text={project}
        options={projects.map(({ slug }) => slug)}
        hint={known ? 'This project exists.' : 'The installation creates this project.'}
        error={slugProblem(project) ?? refused('project')}
        onChange={(text) => onChange({ project: text })}
      />
      <Suggesting
        label="Environment"
        text={environment}
        options={known?.environments ?? []}
        hint={isThere ? 'This environment exists.' : 'The installation creates this environment.'}
        error={slugProblem(environment) ?? refused('environment')}
        onChange={(text) => onChange({ environment: text })}
      />
    </div>
  );
}

function Suggesting({
  text,
  options,
  onChange,
  ...field
}: {
  label: string;
  text: string;
  options: readonly string[];
  hint: string;
  error: string | null;
  onChange: (text: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <TextField
        {...field}
        mono
        required
        autoCapitalize="none"
        list={id}
        value={text}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id={id}>
        {options.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}
