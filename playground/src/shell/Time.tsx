/** Moments in the zone of whoever looks at them. */

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A moment, by its text in RFC 3339. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  );
}
