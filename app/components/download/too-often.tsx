import { Timer } from "lucide-react";
import { useMessages } from "#app/messages/messages.ts";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";

/** Too many links were asked for from this address. `message` says how long to wait. */
export function TooOften({ message }: { message: string }) {
  const say = useMessages("download");
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-amber-ink">
        <Timer size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{say("oneMoment")}</h1>
      <p className="mt-2 text-muted">{message}</p>
      <a href="" className={`${buttonClass("quiet")} mt-7`}>
        {say("tryAgain")}
      </a>
    </Card>
  );
}
