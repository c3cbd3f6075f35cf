/* Structs in structs, arrays in structs, and pointers in them: the graph behind is made as far
 * as the program looks.
 *
 * Paths: no owner; owner without pet; a pet whose legs are not 3; the label.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: tripod 1 */
#include <heddle.h>

struct pet {
    struct {
        short legs[2];
    } body;
};
struct owner {
    int id;
    struct pet *pet;
};
struct house {
    struct owner *owner;
};

int main(void) {
    struct house h;
    heddle_input(h);
    if (!h.owner)
        return 0;
    if (!h.owner->pet)
        return 0;
    if (h.owner->pet->body.legs[1] == 3)
        heddle_reach("tripod");
    return 0;
}
