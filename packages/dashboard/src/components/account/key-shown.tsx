import type { ApiKeyCreated } from '@davit/api';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Commands, CopyButton } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { environmentLines, type KeyUse, loginLines, mcpConfiguration } from './use-key.ts';

/** Shows the secret of a new API key and examples of its use. The secret is forgotten when the dialog closes. */
export function KeyShown({ made, onClose }: { made: ApiKeyCreated; onClose: () => void }) {
  const { username } = useMe();
  const { address } = useAnswer('getOwnRegistry');
  const use = { key: made.key, origin: window.location.origin, username, registry: address };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={`The key “${made.name}”`}
      description="Whoever has it may do what it allows. Keep it where you keep passwords."
    >
      <div className="flex flex-col gap-4">
        <ShownOnce label="key" secret={made.key} />
        <Uses use={use} />
      </div>
      <Actions>
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </Actions>
    </Dialog>
  );
}

function Uses({ use }: { use: KeyUse }) {
  const { davit, docker } = loginLines(use);
  const mcp = mcpConfiguration(use);
  return (
    <>
      <Use title="On the command line" hint="It asks how to sign in: choose the API key and paste it.">
        <Commands lines={[davit]} />
      </Use>
      <Use
        title="To push images"
        hint="The key is the password; without -p it is asked for and stays out of the history."
      >
        <Commands lines={[docker]} />
      </Use>
      <Use title="In a pipeline" hint="Needs no login.">
        <Commands lines={environmentLines(use)} secret />
      </Use>
      <Use title="For an MCP client">
        <div className="flex items-start justify-between gap-2 rounded-md bg-sunken p-2">
          <pre className="min-w-0 overflow-x-auto font-mono text-xs">{mcp}</pre>
          <CopyButton text={mcp} label="Copy the configuration" secret />
        </div>
      </Use>
    </>
  );
}

function Use({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
      {hint && <p className="text-xs text-soft">{hint}</p>}
    </div>
  );
}
