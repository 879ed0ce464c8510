import { type Me, narrower, ROLES, type Role } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { CheckField } from '../../ui/field.tsx';
import { RadioGroup } from '../../ui/radio.tsx';
import { projectsInWords, ROLE_WORDS } from './rights.ts';

/** What somebody, or a key, shall be able to do; projects null: all that the owner sees. */
export interface RightsDraft {
  role: Role;
  projects: string[] | null;
}

const roleChoices = (me: Me) =>
  [...ROLES].reverse().map((role) => ({
    value: role,
    label: role,
    hint: ROLE_WORDS[role],
    disabledBecause: narrower(role, me.role) === role ? null : `Yours is ${me.role}: nobody can give more than that.`,
  }));

/** Role and projects. @param of whom they are for: what «all» means, and why it may not be chosen */
export function RightsFields({
  me,
  of,
  draft,
  onChange,
}: {
  me: Me;
  of: 'user' | 'key';
  draft: RightsDraft;
  onChange: (draft: RightsDraft) => void;
}) {
  return (
    <>
      <RadioGroup
        label="Role"
        choices={roleChoices(me)}
        value={draft.role}
        onChange={(role) => onChange({ ...draft, role })}
      />
      <ProjectsField me={me} of={of} draft={draft} onChange={onChange} />
    </>
  );
}

const LIMITED = 'You are limited to some projects: name those of them that the user shall see.';

function ProjectsField({
  me,
  of,
  draft,
  onChange,
}: {
  me: Me;
  of: 'user' | 'key';
  draft: RightsDraft;
  onChange: (draft: RightsDraft) => void;
}) {
  const projects = useAnswer('listProjects');
  const isLimited = me.projects !== null;
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup
        label="Projects"
        choices={[
          {
            value: 'all',
            label: of === 'key' && isLimited ? `All that you see: ${projectsInWords(me.projects)}` : 'All projects',
            hint: 'Also those that are made later.',
            disabledBecause: of === 'user' && isLimited ? LIMITED : null,
          },
          { value: 'some', label: 'Only some' },
        ]}
        value={draft.projects === null ? 'all' : 'some'}
        onChange={(which) => onChange({ ...draft, projects: which === 'all' ? null : [] })}
      />
      {draft.projects !== null && (
        <ProjectChecks
          slugs={projects.map(({ slug }) => slug)}
          chosen={draft.projects}
          onChange={(chosen) => onChange({ ...draft, projects: chosen })}
        />
      )}
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
  if (slugs.length === 0) return <p className="ml-6 text-sm text-soft">There is no project yet.</p>;
  return (
    <fieldset
      aria-label="Which projects"
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
