/** The keys of the inbox (P81) with their acts, for their page and dialog. */
const inboxKeys = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open it'],
  ['r', 'Open it, ready to answer'],
  ['t', 'Take it, or put it back'],
  ['s', 'Put it off: choose until when'],
  ['e', 'Done'],
  ['?', 'Show these keys'],
] as const;

export function KeyList() {
  return (
    <dl className="grid max-w-md grid-cols-[4rem_minmax(0,1fr)] gap-y-1.5">
      {inboxKeys.map(([key, what]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded border border-edge bg-card px-1.5 py-0.5 text-sm">{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
