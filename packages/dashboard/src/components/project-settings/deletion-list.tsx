import { deletionPartsOf, type ProjectDeletion } from '@davit/api';

/** Lists the resources that a project deletion deletes, moves to the trash, or keeps. */
export function DeletionList({ deletion }: { deletion: ProjectDeletion }) {
  return deletionPartsOf(deletion).map(({ title, lines }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have the same title, and the parts keep their order
    <div key={index}>
      <p>{title}</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  ));
}
