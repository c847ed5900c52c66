/** What the last answer cost. */
import { Text } from "@mantine/core";
import type { Cost } from "./fetcher";

const number = new Intl.NumberFormat();
const time = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Says the cost in words; nothing before the first answer. */
export function CostOf({ cost }: { cost: Cost | null }) {
  return (
    <Text className="cost" size="sm" role="status" aria-label="Cost of the answer">
      {cost && (
        <>
          {count(cost.statements, "statement")} · {count(cost.rows, "row")} · {time.format(cost.milliseconds)} ms
        </>
      )}
    </Text>
  );
}

function count(value: number, what: string): string {
  return `${number.format(value)} ${what}${value === 1 ? "" : "s"}`;
}
