// ---- Picture: the world as its program draws it ------------------------------------------------

const picture = { busy: false, none: false, frame: -1 };

// showPicture draws the picture of what is looked at; a program without one answers nothing, once.
async function showPicture() {
  if (picture.busy || picture.none || place.view !== 'model' || document.hidden) return;
  picture.busy = true;
  const frame = timeline.at === undefined ? world.overview?.frame : -1;
  try {
    const answer = await fetch(api + 'picture?maybe' + (timeline.at === undefined ? '' : '&at=' + timeline.at));
    if (answer.ok) picture.frame = frame;
    const file = answer.ok && (await answer.blob());
    picture.none = file && !file.size;
    if (file && file.size) {
      const found = await createImageBitmap(file);
      const canvas = byId('picture');
      [canvas.width, canvas.height] = [found.width, found.height];
      canvas.getContext('2d').drawImage(found, 0, 0);
      byId('picture-card').hidden = false;
    } else if (!picture.none) problem((await answer.json()).error);
  } catch (failure) {
    /* the stream says that the server is gone */
  }
  picture.busy = false;
}
setInterval(() => {
  const changed = timeline.at === 'other' || picture.frame !== world.overview?.frame;
  if (byId('live').checked && typeof timeline.at !== 'number' && changed) showPicture();
}, 200);
