import { TextLink } from './typography.tsx';

/** Links below a combined list to the lists that have more rows; nothing when all are shown. */
export function NotAllShown({ lists }: { lists: readonly { text: string; to: string }[] }) {
  if (lists.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 pt-2 text-sm text-mute">
      Not all is shown:
      {lists.map(({ text, to }) => (
        <TextLink key={to} to={to}>
          {text}
        </TextLink>
      ))}
    </p>
  );
}
