import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClass } from './button.tsx';
import { FieldError } from './field.tsx';

const KIB = 1_024;

/** Reads chosen files here in the browser, as text; nothing is sent before the form is. */
export function PickFile({
  accept,
  mostKib = 256,
  several = false,
  beside,
  disabled = false,
  onText,
}: {
  /** Endings, as the browser takes them; absent: every file. */
  accept?: string;
  mostKib?: number;
  several?: boolean;
  /** What else can be done, in words behind the button. */
  beside: string;
  disabled?: boolean;
  onText: (text: string) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (files: FileList | null) => {
    setProblem(null);
    for (const file of files ?? []) {
      if (file.size > mostKib * KIB)
        setProblem(`${file.name} is larger than ${mostKib} KiB, which is the most that is taken.`);
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
        <FileUp className="size-4" aria-hidden /> {several ? 'Choose files…' : 'Choose a file…'}
        <input
          id={id}
          type="file"
          multiple={several}
          accept={accept}
          disabled={disabled}
          className="sr-only"
          onChange={(event) => {
            void read(event.target.files);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
      </label>
      <span className="text-soft">{beside}</span>
      <FieldError error={problem} className="w-full" />
    </div>
  );
}
