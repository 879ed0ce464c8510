import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';

/** A chain of ten large certificates is far below it. */
const MOST_BYTES = 256 * 1024;

/** Reads chosen files here in the browser; nothing is sent before the form is. */
export function PickFiles({ onText }: { onText: (text: string) => void }) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (files: FileList | null) => {
    setProblem(null);
    for (const file of files ?? []) {
      if (file.size > MOST_BYTES) setProblem(`${file.name} is too large to be a certificate or a key.`);
      else onText(await file.text());
    }
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
        <FileUp className="size-4" aria-hidden /> Choose files…
        <input
          id={id}
          type="file"
          multiple
          accept=".pem,.crt,.cer,.key,.txt"
          className="sr-only"
          onChange={(event) => {
            void read(event.target.files);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
      </label>
      <span className="text-soft">One with both, or two; or paste below.</span>
      <FieldError error={problem} className="w-full" />
    </div>
  );
}
