/** A message as its page shows it; `at` is the moment in Brisbane in words. */
export type Message = {
  id: number;
  kind: 'visitor' | 'answer' | 'note' | 'closed' | 'opened';
  body: string;
  /** The name of the member of staff; null for the visitor. */
  by: string | null;
  at: string;
  instant: string;
};

const did = { visitor: '', answer: '', note: ' noted', closed: ' closed the chat', opened: ' opened the chat again' };

/**
 * The messages so far, with the latest in view. Screen readers announce new ones. `mine` is the kind shown on the
 * reader's own side, and `visitor` the visitor's name.
 */
export function MessageLog({
  messages,
  mine,
  visitor,
}: {
  messages: readonly Message[];
  mine: 'visitor' | 'answer';
  visitor: string;
}) {
  return (
    // The column is reversed so that it is scrolled to its end without a script, and stays there when messages are
    // added.
    <div
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-[65vh] flex-col-reverse overflow-y-auto rounded-card border border-line bg-card p-4 sm:p-5 print:max-h-none"
    >
      <ol className="grid gap-4">
        {messages.map((message) => (
          <li key={message.id} className={message.kind === mine ? 'ml-auto max-w-[85%]' : 'mr-auto max-w-[85%]'}>
            <p className="mb-1 text-sm text-mute">
              <b className="text-ink">{message.by ?? visitor}</b>
              {did[message.kind]} <time dateTime={message.instant}>{message.at}</time>
            </p>
            {message.body && (
              <p
                className={`rounded-control border px-4 py-2.5 whitespace-pre-wrap wrap-anywhere ${lookOf(message, mine)}`}
              >
                {message.body}
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function lookOf({ kind }: Message, mine: Message['kind']): string {
  if (kind === 'note') return 'border-dashed border-edge';
  return kind === mine ? 'border-action bg-action text-white' : 'border-line bg-paper';
}
