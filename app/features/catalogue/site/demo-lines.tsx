/** What is said or on a screen, in the letters of a terminal. */
export function DemoLines({ lines }: { lines: readonly string[] }) {
  return (
    <pre className="rounded-control bg-satin p-4 font-mono text-sm leading-relaxed text-on-satin">
      {lines.map((line) => (
        <span key={line} className="block pl-[2ch] -indent-[2ch] wrap-anywhere whitespace-pre-wrap">
          {line}
        </span>
      ))}
    </pre>
  );
}
