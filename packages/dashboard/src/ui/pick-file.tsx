import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClass } from './button.tsx';
import { FieldError } from './field.tsx';

const KIB = 1_024;

/**
 * Renders a button to select text files. The browser reads the files. The text of the files is sent to the server only
 * when the user submits the form.
 */
export function PickFile({
  accept,
  mostKib = 256,
  several = false,
  beside: alternative,
  disabled = false,
  onText,
}: {
  /** File name extensions for the `accept` attribute of the file input. By default, the user can select all files. */
  accept?: string;
  mostKib?: number;
  several?: boolean;
  /** Text next to the button that names another way to enter the content, for example `or paste it below.` */
  beside: string;
  disabled?: boolean;
  onText: (text: string) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (files: FileList | null) => {
    setProblem(null);
    for (const file of files ?? []) {
      if (file.size > mostKib * KIB) setProblem(`${file.name} is too large. The maximum is ${mostKib} KiB.`);
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
        <FileUp className="size-4" aria-hidden /> {several ? 'Choose files…' : 'Choose file…'}
        <input
          id={id}
          type="file"
          multiple={several}
          accept={accept}
          disabled={disabled}
          className="sr-only"
          onChange={(event) => {
            void read(event.target.files);
            // Clear the file input. Otherwise, the browser sends no event if the user selects the same file again.
            event.target.value = '';
          }}
        />
      </label>
      <span className="text-soft">{alternative}</span>
      <FieldError error={problem} className="w-full" />
    </div>
  );
}
