/**
 * Dragging with pointer events. A mouse drags at once; a finger after a short press, so that a swipe over an item still scrolls the page. Near the
 * upper and lower end of the window the page scrolls along.
 */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The item that is dragged, and where its picture is in the window. */
export interface Drag {
  readonly item: number;
  readonly x: number;
  readonly y: number;
}

const FAR = 5; // pixels that make a press a drag
const PRESS = 180; // milliseconds that make a touch a drag
const EDGE = 60; // pixels from the end of the window where it scrolls

interface Press {
  readonly item: number;
  readonly pointer: number;
  readonly touch: boolean;
  readonly from: { readonly x: number; readonly y: number };
  active: boolean;
  moved: boolean;
  timer: number;
}

export function useDrag(board: RefObject<HTMLElement | null>, onDrop: (item: number, tier: number) => void) {
  const [drag, setDrag] = useState<Drag>();
  const [target, setTarget] = useState<number>();
  const press = useRef<Press | undefined>(undefined);
  const drop = useRef(onDrop);
  drop.current = onDrop;

  useEffect(() => {
    const place = (x: number, y: number) => {
      setDrag({ item: press.current!.item, x: x - 24, y: y - 28 });
      setTarget(tierAt(x, y));
      if (y < EDGE) scrollBy(0, -12);
      else if (y > innerHeight - EDGE) scrollBy(0, 12);
    };
    const move = (event: PointerEvent) => {
      const now = press.current;
      if (!now || event.pointerId !== now.pointer) return;
      const far = Math.hypot(event.clientX - now.from.x, event.clientY - now.from.y) > FAR;
      if (!now.active && far && now.touch) return end(); // a swipe
      if (far) now.active = now.moved = true;
      if (now.moved) place(event.clientX, event.clientY);
    };
    const end = () => {
      clearTimeout(press.current?.timer);
      press.current = undefined;
      setDrag(undefined);
      setTarget(undefined);
    };
    const up = (event: PointerEvent) => {
      const now = press.current;
      if (!now || event.pointerId !== now.pointer) return;
      const tier = now.moved ? tierAt(event.clientX, event.clientY) : undefined;
      if (now.moved) addEventListener("click", stop, { capture: true, once: true }); // the click that ends a drag picks nothing
      end();
      if (tier !== undefined) drop.current(now.item, tier);
    };
    // Browsers differ in whether a drag ends with a click, so the next press ends the waiting for it: a fast click on a button must not be lost.
    const acceptClicks = () => removeEventListener("click", stop, { capture: true });
    const stop = (event: MouseEvent) => {
      if (event.detail === 0) return; // by the keyboard or a screen reader
      event.stopPropagation();
      event.preventDefault();
    };
    const hold = (event: Event) => {
      if (press.current?.active) event.preventDefault(); // no scrolling and no menu while a finger drags
    };
    addEventListener("pointerdown", acceptClicks, { capture: true });
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    const element = board.current!;
    element.addEventListener("touchmove", hold, { passive: false });
    element.addEventListener("contextmenu", hold);
    return () => {
      removeEventListener("pointerdown", acceptClicks, { capture: true });
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
      element.removeEventListener("touchmove", hold);
      element.removeEventListener("contextmenu", hold);
    };
  }, [board]);

  const start = (event: PointerEvent, item: number) => {
    if (event.button !== 0) return;
    const touch = event.pointerType === "touch";
    const from = { x: event.clientX, y: event.clientY };
    // A touch is captured by its item, which then would be the target of all that follows.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    const begin = () => {
      if (!press.current) return;
      press.current.active = true;
      setDrag({ item, x: from.x - 24, y: from.y - 28 });
    };
    press.current = {
      item,
      pointer: event.pointerId,
      touch,
      from,
      active: false,
      moved: false,
      timer: touch ? setTimeout(begin, PRESS) : 0,
    };
  };
  return { drag, target, start };
}

/** The tier under a point of the window, -1 for the unranked items, or undefined. */
function tierAt(x: number, y: number): number | undefined {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-tier]");
  return found ? Number(found.dataset.tier) : undefined;
}
