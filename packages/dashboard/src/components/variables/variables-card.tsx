import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import { IfMay } from '../admin/if-may.tsx';
import type { Level } from './level.ts';
import { VariablesEditor } from './variables-editor.tsx';

const WHAT: Record<Level['source'], string> = {
  project: 'All apps of the project get these variables. Variables of an environment or an app take precedence.',
  environment:
    'All apps of the environment get these variables and the variables of the project. Variables of an app take precedence.',
  app: 'All variables of the app: from its project, its environment, its attached databases and buckets, and its own settings.',
};

const effectOnAll = (noun: string) =>
  `Changes take effect with the next deployment of each app of the ${noun}. “Save and deploy” deploys the live image of all apps whose values change.`;

const EFFECT: Record<Level['source'], string> = {
  project: effectOnAll('project'),
  environment: effectOnAll('environment'),
  app: 'Changes take effect with the next deployment of the app.',
};

/** Renders the card with the environment variables of a project, an environment or an app. */
export function VariablesCard({
  level,
  example,
  deployNotBecause = null,
}: {
  level: Level;
  /** Arguments of an example `davit` command that sets an environment variable. */
  example: string;
  /**
   * Reason why the user can save the environment variables but not deploy them. `null` if the user can also deploy.
   * Default: `null`.
   */
  deployNotBecause?: string | null;
}) {
  return (
    <Card title="Variables" description={WHAT[level.source]}>
      <VariablesEditor
        level={level}
        effect={EFFECT[level.source]}
        deployNotBecause={deployNotBecause}
        empty={
          <Empty title="No variables yet">
            <p>Davit passes variables to apps as environment variables.</p>
            <IfMay permission="operate" what="add variables">
              <p>Add a variable here or with the command line:</p>
              <Commands lines={[`davit env set ${example}`]} />
            </IfMay>
          </Empty>
        }
      />
    </Card>
  );
}
