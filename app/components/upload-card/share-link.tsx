import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/clipboard.ts";
import { useMessages } from "#app/messages/messages.ts";
import { Button } from "../ui/button.tsx";
import { controlClass } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

/** A link to hand on, with a button that copies it. */
export function ShareLink({ url, label }: { url: string; label: string }) {
  const say = useMessages("uploads");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(url);
    setCopied(done);
    toast(
      done
        ? { title: say("linkCopied") }
        : { title: say("copyFailed"), description: say("copyFailedText"), tone: "bad" },
    );
  };
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={label}
        value={url}
        className={controlClass}
        onFocus={(event) => {
          event.target.select();
        }}
      />
      <Button className="shrink-0" onClick={() => void copy()}>
        {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        {say(copied ? "copied" : "copy")}
      </Button>
    </div>
  );
}
