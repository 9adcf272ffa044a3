/** A text whose codes, such as SC-300 or SY0-701, and In-Person stay on one line; browsers would break them at the hyphen. `parts` are others, as one group. */
export function Unbroken({ text, parts = code }: { text: string; parts?: RegExp }) {
  return text.split(parts).map((part, at) =>
    at % 2 === 1 ? (
      // The parts of a text do not move.
      // biome-ignore lint/suspicious/noArrayIndexKey: a code may stand in it twice
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

const code = /(\(?\b[A-Z\d]{2,4}-[A-Z\d.]{2,7}\b\)?|\bIn-Person\b)/;
