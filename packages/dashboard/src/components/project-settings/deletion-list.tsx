import { deletionPartsOf, type ProjectDeletion } from '@davit/api';

/** Lists what the deletion of a project deletes, moves to the trash and keeps. */
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
