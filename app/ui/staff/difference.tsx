import type { Part } from '#app/lib/diff-words.ts';

/** Two texts as one: what was taken out and what was put in. */
export function Difference({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ kind, text }, at) => {
    // Parts have no name of their own, and their order never changes.
    const key = `${at} ${kind}`;
    if (kind === 'out') {
      return (
        <del key={key} className="bg-fault-tint text-fault [&+ins]:ml-1">
          {text}
        </del>
      );
    }
    if (kind === 'in') {
      return (
        <ins key={key} className="bg-added text-on-added no-underline">
          {text}
        </ins>
      );
    }
    return <span key={key}>{text}</span>;
  });
}
