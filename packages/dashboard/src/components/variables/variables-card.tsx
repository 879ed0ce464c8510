import { Card, Empty } from '../../ui/card.tsx';
import { Commands } from '../../ui/copy.tsx';
import type { Level } from './level.ts';
import { VariablesEditor } from './variables-editor.tsx';

const WHAT: Record<Level['source'], string> = {
  project: 'What every app of the project gets, unless its environment or itself says otherwise.',
  environment: 'What every app of the environment gets: its project’s and its own, unless the app says otherwise.',
  app: 'What the app gets: its project’s, its environment’s and its own.',
};

const effectOnAll = (noun: string) =>
  `They take effect with the next deploy of each app of the ${noun}. “Save and deploy” deploys every live app that gets other values, of the image that is live.`;

const EFFECT: Record<Level['source'], string> = {
  project: effectOnAll('project'),
  environment: effectOnAll('environment'),
  app: 'They take effect with the next deploy of the app.',
};

/** Renders the variables of a project, an environment or an app on its page. */
export function VariablesCard({
  level,
  example,
  deployNotBecause = null,
}: {
  level: Level;
  /** Arguments of a terminal command that sets the first variable. */
  example: string;
  /** Reason why the variables cannot be deployed at once, or `null` if they can. */
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
            <p>Add one here, or from a terminal:</p>
            <Commands lines={[`davit env set ${example}`]} />
          </Empty>
        }
      />
    </Card>
  );
}
