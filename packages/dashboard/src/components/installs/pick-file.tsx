import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';

/** As much as the instance takes. */
const MOST_BYTES = 256 * 1024;

/** Reads a chosen file here in the browser; nothing is sent before the form is. */
export function PickFile({ onText }: { onText: (text: string) => void }) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    setProblem(null);
    if (file === undefined) return;
    if (file.size > MOST_BYTES) setProblem(`${file.name} is larger than 256 KiB, which is the most that is taken.`);
    else onText(await file.text());
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <label
        htmlFor={id}
        className={buttonClass(
          'plain',
          'cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
        )}
      >
        <FileUp className="size-4" aria-hidden /> Choose a file…
        <input
          id={id}
          type="file"
          accept=".yaml,.yml"
          className="sr-only"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
      </label>
      <span className="text-soft">or paste it below.</span>
      <FieldError error={problem} className="w-full" />
    </div>
  );
}
