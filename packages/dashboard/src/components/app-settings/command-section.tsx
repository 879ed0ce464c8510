import { ArgumentsSetting } from './arguments-setting.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { argumentList } from './kinds.ts';

const FIELDS = {
  command: argumentList('Command', ({ command }) => command, 'the image’s'),
  args: argumentList('Arguments', ({ args }) => args, 'the image’s'),
  release_command: argumentList('Release command', ({ release_command }) => release_command, 'none'),
};

/** Renders the settings of the command and the release command. */
export function CommandSection() {
  const form = useAppForm(FIELDS);
  return (
    <FormCard
      form={form}
      title="Command & release command"
      description="Quotes keep spaces together; nothing else of a shell happens. For a shell write sh -c '…'."
      effect="Takes effect with the next deploy."
    >
      <ArgumentsSetting
        of={form.field('command')}
        placeholder="node server.js"
        hint="Replaces the image’s entry point. Empty: the image’s own."
      />
      <ArgumentsSetting
        of={form.field('args')}
        placeholder="--workers 4"
        hint="Replaces the image’s arguments. Empty: the image’s own."
      />
      <ArgumentsSetting
        of={form.field('release_command')}
        placeholder="npm run migrate"
        hint="Runs once in each deploy, from the new image, before the new release starts. If it fails, so does the deploy, and the old release goes on serving. Empty: none."
      />
    </FormCard>
  );
}
