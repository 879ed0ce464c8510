import { type Me, narrower, ROLES, type Role } from '@davit/api';
import { RadioGroup } from '../../ui/radio.tsx';
import { ProjectsField } from '../admin/projects-field.tsx';
import { projectsInWords, ROLE_WORDS } from './rights.ts';

/**
 * Role and projects of a user or an API key. For a user, `null` means all projects. For an API key, `null` means all
 * projects that the key's owner can access.
 */
export interface RightsDraft {
  role: Role;
  projects: string[] | null;
}

const roleChoices = (me: Me) =>
  [...ROLES].reverse().map((role) => ({
    value: role,
    label: role,
    hint: ROLE_WORDS[role],
    disabledBecause:
      narrower(role, me.role) === role
        ? null
        : `Your role is ${me.role}. You cannot give a role with more permissions.`,
  }));

const LIMITED = 'You have access to selected projects only. Choose among these projects.';

/**
 * Renders the form fields for the role and the projects of a user or an API key. The option for all projects depends on
 * `of`, which is `user` or `key`.
 */
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
  const isLimited = me.projects !== null;
  return (
    <>
      <RadioGroup
        label="Role"
        choices={roleChoices(me)}
        value={draft.role}
        onChange={(role) => onChange({ ...draft, role })}
      />
      <ProjectsField
        projects={draft.projects}
        onChange={(projects) => onChange({ ...draft, projects })}
        all={{
          label: of === 'key' && isLimited ? `All your projects: ${projectsInWords(me.projects)}` : 'All projects',
          hint: 'Includes projects that are created later.',
          disabledBecause: of === 'user' && isLimited ? LIMITED : null,
        }}
      />
    </>
  );
}
